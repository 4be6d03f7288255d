/* Traces of queries and of the block cache, and a replay. */
#include "test/api/c/check.h"

typedef struct {
  rocksdb_env_t* env;
  rocksdb_envoptions_t* env_options;
  rocksdb_options_t* options;
} Place;

static rocksdb_t* OpenEmpty(const Place* place, const char* name) {
  char* err = NULL;
  rocksdb_t* db;
  rocksdb_destroy_db(place->options, PathOf(name), &err);
  CHECK_OK(err);
  db = rocksdb_open(place->options, PathOf(name), &err);
  CHECK_OK(err);
  return db;
}

static void Fields(void) {
  rocksdb_trace_options_t* trace = rocksdb_trace_options_create();
  rocksdb_block_cache_trace_options_t* block =
      rocksdb_block_cache_trace_options_create();
  rocksdb_block_cache_trace_writer_options_t* writer =
      rocksdb_block_cache_trace_writer_options_create();
  rocksdb_replay_options_t* replay = rocksdb_replay_options_create();
  const uint64_t default_size = (uint64_t)64 << 30;

  CHECK(rocksdb_trace_options_get_filter(trace) == rocksdb_trace_filter_none);
  CHECK(rocksdb_trace_options_get_max_trace_file_size(trace) == default_size);
  CHECK(rocksdb_trace_options_get_preserve_write_order(trace) == 0);
  CHECK(rocksdb_trace_options_get_sampling_frequency(trace) == 1);
  rocksdb_trace_options_set_filter(
      trace, rocksdb_trace_filter_get | rocksdb_trace_filter_write |
                 rocksdb_trace_filter_iterator_seek |
                 rocksdb_trace_filter_iterator_seek_for_prev |
                 rocksdb_trace_filter_multi_get);
  rocksdb_trace_options_set_max_trace_file_size(trace, 1);
  rocksdb_trace_options_set_preserve_write_order(trace, 1);
  rocksdb_trace_options_set_sampling_frequency(trace, 2);
  CHECK(rocksdb_trace_options_get_filter(trace) == 31);
  CHECK(rocksdb_trace_options_get_max_trace_file_size(trace) == 1);
  CHECK(rocksdb_trace_options_get_preserve_write_order(trace) == 1);
  CHECK(rocksdb_trace_options_get_sampling_frequency(trace) == 2);

  CHECK(rocksdb_block_cache_trace_options_get_sampling_frequency(block) == 1);
  rocksdb_block_cache_trace_options_set_sampling_frequency(block, 3);
  CHECK(rocksdb_block_cache_trace_options_get_sampling_frequency(block) == 3);
  CHECK(rocksdb_block_cache_trace_writer_options_get_max_trace_file_size(
            writer) == default_size);
  rocksdb_block_cache_trace_writer_options_set_max_trace_file_size(writer, 4);
  CHECK(rocksdb_block_cache_trace_writer_options_get_max_trace_file_size(
            writer) == 4);

  CHECK(rocksdb_replay_options_get_num_threads(replay) == 1);
  CHECK(rocksdb_replay_options_get_fast_forward(replay) == 1.0);
  rocksdb_replay_options_set_num_threads(replay, 5);
  rocksdb_replay_options_set_fast_forward(replay, 2.5);
  CHECK(rocksdb_replay_options_get_num_threads(replay) == 5);
  CHECK(rocksdb_replay_options_get_fast_forward(replay) == 2.5);

  rocksdb_trace_options_destroy(trace);
  rocksdb_block_cache_trace_options_destroy(block);
  rocksdb_block_cache_trace_writer_options_destroy(writer);
  rocksdb_replay_options_destroy(replay);
}

/* Two writes and a read. */
static void TraceQueries(const Place* place) {
  char* err = NULL;
  rocksdb_t* db = OpenEmpty(place, "traced");
  rocksdb_trace_options_t* options = rocksdb_trace_options_create();
  rocksdb_end_trace(db, &err);
  CHECK_ERROR(err, "IO error: ");
  rocksdb_start_trace(db, place->env, place->env_options, options,
                      PathOf("missing/trace"), &err);
  CHECK_ERROR(err, "IO error: ");
  rocksdb_start_trace(db, place->env, place->env_options, options,
                      PathOf("queries"), &err);
  CHECK_OK(err);
  rocksdb_start_trace(db, place->env, place->env_options, options,
                      PathOf("other"), &err);
  CHECK_ERROR(err, "Resource busy: ");
  PutText(db, "a", "1");
  PutText(db, "b", "2");
  free(GetText(db, "a"));
  rocksdb_end_trace(db, &err);
  CHECK_OK(err);
  rocksdb_trace_options_destroy(options);
  rocksdb_close(db);
}

/* A header, three queries, an end; each record says its type. */
static void ReadRecords(const Place* place) {
  static const char types[] = {1, 3, 3, 4, 2};
  char* err = NULL;
  size_t size = 0;
  size_t count;
  int round;
  char* record;
  rocksdb_trace_reader_t* reader;
  reader = rocksdb_trace_reader_create(place->env, place->env_options,
                                       PathOf("nothing"), &err);
  CHECK_ERROR(err, "IO error: ");
  CHECK(reader == NULL);
  reader = rocksdb_trace_reader_create(place->env, place->env_options,
                                       PathOf("queries"), &err);
  CHECK_OK(err);
  for (round = 0; round < 2; ++round) {
    count = 0;
    while ((record = rocksdb_trace_reader_read(reader, &size, &err)) != NULL) {
      CHECK(count < sizeof(types) && size >= 13 && record[8] == types[count]);
      rocksdb_free(record);
      ++count;
    }
    CHECK_OK(err);
    CHECK(count == sizeof(types) && size == 0);
    rocksdb_trace_reader_reset(reader, &err);
    CHECK_OK(err);
  }
  rocksdb_trace_reader_close(reader, &err);
  CHECK_OK(err);
  CHECK(rocksdb_trace_reader_read(reader, &size, &err) == NULL);
  CHECK_ERROR(err, "IO error: ");
  rocksdb_trace_reader_reset(reader, &err);
  CHECK_ERROR(err, "IO error: ");
  rocksdb_trace_reader_destroy(reader);
}

static void ReplayQueries(const Place* place) {
  char* err = NULL;
  char* text;
  rocksdb_t* db = OpenEmpty(place, "replayed");
  rocksdb_replay_options_t* options = rocksdb_replay_options_create();
  rocksdb_column_family_handle_t* family =
      rocksdb_get_default_column_family_handle(db);
  rocksdb_replayer_t* replayer;
  replayer =
      rocksdb_new_default_replayer(db, &family, 1, place->env,
                                   place->env_options, PathOf("nothing"), &err);
  CHECK_ERROR(err, "IO error: ");
  CHECK(replayer == NULL);
  replayer =
      rocksdb_new_default_replayer(db, &family, 1, place->env,
                                   place->env_options, PathOf("queries"), &err);
  CHECK_OK(err);
  rocksdb_replayer_replay(replayer, options, &err);
  CHECK_ERROR(err, "Result incomplete: ");
  CHECK(rocksdb_replayer_get_header_timestamp(replayer) == 0);
  rocksdb_replayer_prepare(replayer, &err);
  CHECK_OK(err);
  CHECK(rocksdb_replayer_get_header_timestamp(replayer) > 0);
  rocksdb_replay_options_set_fast_forward(options, 0.0);
  rocksdb_replayer_replay(replayer, options, &err);
  CHECK_ERROR(err, "Invalid argument: ");
  rocksdb_replay_options_set_fast_forward(options, 1000.0);
  rocksdb_replayer_replay(replayer, options, &err);
  CHECK_OK(err);
  rocksdb_replayer_destroy(replayer);
  text = GetText(db, "b");
  CHECK(text != NULL && strcmp(text, "2") == 0);
  free(text);
  rocksdb_replay_options_destroy(options);
  rocksdb_column_family_handle_destroy(family);
  rocksdb_close(db);
}

static void TraceBlocks(const Place* place) {
  char* err = NULL;
  size_t size = 0;
  size_t count = 0;
  int round;
  char* record;
  rocksdb_t* db = OpenEmpty(place, "blocks");
  rocksdb_trace_options_t* trace = rocksdb_trace_options_create();
  rocksdb_block_cache_trace_options_t* options =
      rocksdb_block_cache_trace_options_create();
  rocksdb_block_cache_trace_writer_options_t* writer =
      rocksdb_block_cache_trace_writer_options_create();
  rocksdb_flushoptions_t* flush = rocksdb_flushoptions_create();
  rocksdb_trace_reader_t* reader;
  PutText(db, "a", "1");
  rocksdb_flush(db, flush, &err);
  CHECK_OK(err);
  rocksdb_end_block_cache_trace(db, &err);
  CHECK_OK(err);
  for (round = 0; round < 2; ++round) {
    if (round == 0) {
      rocksdb_start_block_cache_trace(db, place->env, place->env_options, trace,
                                      PathOf("accesses"), &err);
    } else {
      rocksdb_start_block_cache_trace_with_options(
          db, place->env, place->env_options, options, writer,
          PathOf("accesses"), &err);
    }
    CHECK_OK(err);
    free(GetText(db, "a"));
    rocksdb_end_block_cache_trace(db, &err);
    CHECK_OK(err);
    reader = rocksdb_trace_reader_create(place->env, place->env_options,
                                         PathOf("accesses"), &err);
    CHECK_OK(err);
    count = 0;
    while ((record = rocksdb_trace_reader_read(reader, &size, &err)) != NULL) {
      CHECK(count > 0 ? record[8] >= 7 && record[8] <= 9 : record[8] == 1);
      rocksdb_free(record);
      ++count;
    }
    CHECK_OK(err);
    CHECK(count >= 2);
    rocksdb_trace_reader_destroy(reader);
  }
  rocksdb_start_io_trace(db, place->env, place->env_options, trace,
                         PathOf("calls"), &err);
  CHECK_ERROR(err, "Not implemented: ");
  CHECK(fopen(PathOf("calls"), "rb") == NULL);
  rocksdb_end_io_trace(db, &err);
  CHECK_ERROR(err, "Not implemented: ");
  rocksdb_flushoptions_destroy(flush);
  rocksdb_trace_options_destroy(trace);
  rocksdb_block_cache_trace_options_destroy(options);
  rocksdb_block_cache_trace_writer_options_destroy(writer);
  rocksdb_close(db);
}

void CheckTraces(void) {
  Place place;
  place.env = rocksdb_create_default_env();
  place.env_options = rocksdb_envoptions_create();
  place.options = rocksdb_options_create();
  rocksdb_options_set_create_if_missing(place.options, 1);
  Fields();
  TraceQueries(&place);
  ReadRecords(&place);
  ReplayQueries(&place);
  TraceBlocks(&place);
  rocksdb_options_destroy(place.options);
  rocksdb_envoptions_destroy(place.env_options);
  rocksdb_env_destroy(place.env);
}
