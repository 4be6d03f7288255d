#include "env/posix/posix_error.h"

#include <cerrno>
#include <system_error>

namespace ROCKSDB_NAMESPACE::engine {

std::string PosixReason(int error_number) {
  // Not strerror(): that one is not thread-safe everywhere.
  return std::generic_category().message(error_number);
}

IOStatus PosixError(const std::string& context, const std::string& path,
                    int error_number) {
  const std::string place = path.empty() ? context : context + ": " + path;
  const std::string reason = PosixReason(error_number);
  switch (error_number) {
    case ENOSPC:
    case EDQUOT: {
      IOStatus status = IOStatus::NoSpace(place, reason);
      status.SetRetryable(true);
      return status;
    }
    case EMFILE:
    case ENFILE: {
      IOStatus status = IOStatus::IOError(place, reason);
      status.SetRetryable(true);
      return status;
    }
    case ESTALE:
      return IOStatus::IOFenced(place, reason);
    case ENOENT:
      return IOStatus::PathNotFound(place, reason);
    default:
      return IOStatus::IOError(place, reason);
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
