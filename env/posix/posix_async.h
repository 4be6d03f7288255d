// Concurrent reads of POSIX files.
//
// Place. Between the file classes and env/posix/io_ring.h: implements
// MultiRead, ReadAsync, Poll and AbortIO of the public interface.
//
// Model. The handle of a read that was started is a StartedRead. Its callback
// runs once, in the Poll or AbortIO that is given the handle, on that thread.
// Deleting a handle early waits until the kernel no longer uses the buffer.
// In an AsyncGroup (env/async_group.h) a read is started by the first Poll.
//
// Threads. A handle may be polled and deleted by any thread, one at a time.

#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "env/posix/posix_files.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE::engine {

// Fills result and status of every request. The first form waits for one after
// the other, the second for all at once and is false where it cannot.
void ReadEach(const PosixFileInfo& file, FSReadRequest* requests, size_t count);
bool ReadTogether(const PosixFileInfo& file, FSReadRequest* requests,
                  size_t count);

using ReadCallback = std::function<void(FSReadRequest&, void*)>;

// Null: nothing was started, and the callback is still the caller's.
void* StartRead(const PosixFileInfo& file, const FSReadRequest& request,
                ReadCallback* callback, void* argument);
void DeleteStartedRead(void* handle);

// Null handles are of reads that were done at once.
void PollReads(const std::vector<void*>& handles, size_t min_completions);
void AbortReads(const std::vector<void*>& handles);

}  // namespace ROCKSDB_NAMESPACE::engine
