// Traces of queries, of the block cache and of I/O, and the replay of queries.
#include "api/c/convert.h"
#include "api/c/fields.h"
#include "rocksdb/block_cache_trace_writer.h"
#include "rocksdb/trace_reader_writer.h"
#include "rocksdb/trace_record_result.h"
#include "rocksdb/utilities/replayer.h"

using capi_internal::CopyBytes;
using capi_internal::SaveError;

struct rocksdb_trace_options_t {
  capi::TraceOptions rep;
};
struct rocksdb_block_cache_trace_options_t {
  capi::BlockCacheTraceOptions rep;
};
struct rocksdb_block_cache_trace_writer_options_t {
  capi::BlockCacheTraceWriterOptions rep;
};
struct rocksdb_replay_options_t {
  capi::ReplayOptions rep;
};
struct rocksdb_trace_reader_t {
  std::unique_ptr<capi::TraceReader> rep;
};
struct rocksdb_replayer_t {
  std::unique_ptr<capi::Replayer> rep;
};

namespace {

// A file that a trace is written to or read from.
struct TraceFile {
  rocksdb_env_t* env;
  const rocksdb_envoptions_t* env_options;
  const char* path;
};

// True if it could be created.
bool CreateTrace(const TraceFile& file,
                 std::unique_ptr<capi::TraceWriter>* writer, char** errptr) {
  return !SaveError(
      errptr, capi::NewFileTraceWriter(file.env->rep, file.env_options->rep,
                                       file.path, writer));
}

bool OpenTrace(const TraceFile& file,
               std::unique_ptr<capi::TraceReader>* reader, char** errptr) {
  return !SaveError(
      errptr, capi::NewFileTraceReader(file.env->rep, file.env_options->rep,
                                       file.path, reader));
}

}  // namespace

extern "C" {

LIFETIME(trace_options, rocksdb_trace_options_t)
LIFETIME(block_cache_trace_options, rocksdb_block_cache_trace_options_t)
LIFETIME(block_cache_trace_writer_options,
         rocksdb_block_cache_trace_writer_options_t)
LIFETIME(replay_options, rocksdb_replay_options_t)

// clang-format off
#define FIELD_OPTIONS rocksdb_trace_options_t
#define FIELD_PREFIX trace_options
FIELD(filter, uint64_t, filter)
FIELD(max_trace_file_size, uint64_t, max_trace_file_size)
FIELD(preserve_write_order, unsigned char, preserve_write_order)
FIELD(sampling_frequency, uint64_t, sampling_frequency)
#undef FIELD_OPTIONS
#undef FIELD_PREFIX

#define FIELD_OPTIONS rocksdb_block_cache_trace_options_t
#define FIELD_PREFIX block_cache_trace_options
FIELD(sampling_frequency, uint64_t, sampling_frequency)
#undef FIELD_OPTIONS
#undef FIELD_PREFIX

#define FIELD_OPTIONS rocksdb_block_cache_trace_writer_options_t
#define FIELD_PREFIX block_cache_trace_writer_options
FIELD(max_trace_file_size, uint64_t, max_trace_file_size)
#undef FIELD_OPTIONS
#undef FIELD_PREFIX

#define FIELD_OPTIONS rocksdb_replay_options_t
#define FIELD_PREFIX replay_options
FIELD(fast_forward, double, fast_forward)
FIELD(num_threads, uint32_t, num_threads)
#undef FIELD_OPTIONS
#undef FIELD_PREFIX
// clang-format on

// ---- Starts and ends.

void rocksdb_start_trace(rocksdb_t* db, rocksdb_env_t* env,
                         const rocksdb_envoptions_t* env_options,
                         const rocksdb_trace_options_t* options,
                         const char* trace_path, char** errptr) try {
  std::unique_ptr<capi::TraceWriter> writer;
  if (!CreateTrace({env, env_options, trace_path}, &writer, errptr)) return;
  SaveError(errptr, db->rep->StartTrace(options->rep, std::move(writer)));
}
CAPI_CATCH(void, errptr)

void rocksdb_end_trace(rocksdb_t* db, char** errptr) try {
  SaveError(errptr, db->rep->EndTrace());
}
CAPI_CATCH(void, errptr)

// No database makes such a trace, so the file stays as it is.
void rocksdb_start_io_trace(rocksdb_t* db, rocksdb_env_t* /*env*/,
                            const rocksdb_envoptions_t* /*env_options*/,
                            const rocksdb_trace_options_t* options,
                            const char* /*trace_path*/, char** errptr) try {
  SaveError(errptr, db->rep->StartIOTrace(options->rep, nullptr));
}
CAPI_CATCH(void, errptr)

void rocksdb_end_io_trace(rocksdb_t* db, char** errptr) try {
  SaveError(errptr, db->rep->EndIOTrace());
}
CAPI_CATCH(void, errptr)

void rocksdb_start_block_cache_trace(rocksdb_t* db, rocksdb_env_t* env,
                                     const rocksdb_envoptions_t* env_options,
                                     const rocksdb_trace_options_t* options,
                                     const char* trace_path,
                                     char** errptr) try {
  std::unique_ptr<capi::TraceWriter> writer;
  if (!CreateTrace({env, env_options, trace_path}, &writer, errptr)) return;
  SaveError(errptr,
            db->rep->StartBlockCacheTrace(options->rep, std::move(writer)));
}
CAPI_CATCH(void, errptr)

// NOLINTNEXTLINE(readability-function-size): the signature is public.
void rocksdb_start_block_cache_trace_with_options(
    rocksdb_t* db, rocksdb_env_t* env, const rocksdb_envoptions_t* env_options,
    const rocksdb_block_cache_trace_options_t* options,
    const rocksdb_block_cache_trace_writer_options_t* writer_options,
    const char* trace_path, char** errptr) try {
  std::unique_ptr<capi::TraceWriter> file;
  if (!CreateTrace({env, env_options, trace_path}, &file, errptr)) return;
  std::unique_ptr<capi::BlockCacheTraceWriter> writer =
      capi::NewBlockCacheTraceWriter(env->rep->GetSystemClock().get(),
                                     writer_options->rep, std::move(file));
  SaveError(errptr,
            db->rep->StartBlockCacheTrace(options->rep, std::move(writer)));
}
CAPI_CATCH(void, errptr)

void rocksdb_end_block_cache_trace(rocksdb_t* db, char** errptr) try {
  SaveError(errptr, db->rep->EndBlockCacheTrace());
}
CAPI_CATCH(void, errptr)

// ---- Records as bytes.

rocksdb_trace_reader_t* rocksdb_trace_reader_create(
    rocksdb_env_t* env, const rocksdb_envoptions_t* env_options,
    const char* trace_path, char** errptr) try {
  std::unique_ptr<capi::TraceReader> reader;
  if (!OpenTrace({env, env_options, trace_path}, &reader, errptr)) {
    return nullptr;
  }
  return new rocksdb_trace_reader_t{std::move(reader)};
}
CAPI_CATCH(rocksdb_trace_reader_t*, errptr)

void rocksdb_trace_reader_destroy(rocksdb_trace_reader_t* reader) {
  delete reader;
}

char* rocksdb_trace_reader_read(rocksdb_trace_reader_t* reader, size_t* size,
                                char** errptr) try {
  *size = 0;
  std::string record;
  const capi::Status status = reader->rep->Read(&record);
  if (status.IsIncomplete() || SaveError(errptr, status)) return nullptr;
  *size = record.size();
  return CopyBytes(record);
}
CAPI_CATCH(char*, errptr)

void rocksdb_trace_reader_reset(rocksdb_trace_reader_t* reader,
                                char** errptr) try {
  SaveError(errptr, reader->rep->Reset());
}
CAPI_CATCH(void, errptr)

void rocksdb_trace_reader_close(rocksdb_trace_reader_t* reader,
                                char** errptr) try {
  SaveError(errptr, reader->rep->Close());
}
CAPI_CATCH(void, errptr)

// ---- Replay.

// NOLINTNEXTLINE(readability-function-size): the signature is public.
rocksdb_replayer_t* rocksdb_new_default_replayer(
    rocksdb_t* db, rocksdb_column_family_handle_t** column_families,
    size_t num_column_families, rocksdb_env_t* env,
    const rocksdb_envoptions_t* env_options, const char* trace_path,
    char** errptr) try {
  std::unique_ptr<capi::TraceReader> reader;
  if (!OpenTrace({env, env_options, trace_path}, &reader, errptr)) {
    return nullptr;
  }
  std::vector<capi::ColumnFamilyHandle*> handles;
  handles.reserve(num_column_families);
  for (size_t i = 0; i < num_column_families; ++i) {
    handles.push_back(column_families[i]->rep);
  }
  std::unique_ptr<capi::Replayer> replayer;
  if (SaveError(errptr, db->rep->NewDefaultReplayer(handles, std::move(reader),
                                                    &replayer))) {
    return nullptr;
  }
  return new rocksdb_replayer_t{std::move(replayer)};
}
CAPI_CATCH(rocksdb_replayer_t*, errptr)

void rocksdb_replayer_destroy(rocksdb_replayer_t* replayer) { delete replayer; }

uint64_t rocksdb_replayer_get_header_timestamp(
    const rocksdb_replayer_t* replayer) {
  return replayer->rep->GetHeaderTimestamp();
}

void rocksdb_replayer_prepare(rocksdb_replayer_t* replayer, char** errptr) try {
  SaveError(errptr, replayer->rep->Prepare());
}
CAPI_CATCH(void, errptr)

void rocksdb_replayer_replay(rocksdb_replayer_t* replayer,
                             const rocksdb_replay_options_t* options,
                             char** errptr) try {
  SaveError(errptr, replayer->rep->Replay(options->rep, nullptr));
}
CAPI_CATCH(void, errptr)

}  // extern "C"
