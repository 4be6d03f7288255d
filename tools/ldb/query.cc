// Reads commands from standard input, one per line.

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "tools/ldb/command.h"
#include "tools/ldb/output.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

constexpr char kHelp[] = "get <key>\nput <key> <value>\ndelete <key>\n";

Status Get(const Arguments& arguments, const Session& session,
           const std::string& word) {
  const auto key = arguments.Key(word);
  if (!key.ok()) return key.status();
  std::string value;
  Status status =
      session.db()->Get(ReadOptions(), session.family(), *key, &value);
  if (status.IsNotFound()) {
    Print("Not found " + word + "\n");
    return Status::OK();
  }
  if (status.ok()) {
    Print(word + " ==> " + arguments.ShowValue(value) + "\n");
  }
  return status;
}

Status Put(const Arguments& arguments, const Session& session,
           const std::string& key_word, const std::string& value_word) {
  const auto key = arguments.Key(key_word);
  if (!key.ok()) return key.status();
  const auto value = arguments.Value(value_word);
  if (!value.ok()) return value.status();
  RETURN_IF_ERROR(
      session.db()->Put(WriteOptions(), session.family(), *key, *value));
  Print("Successfully put " + key_word + " " + value_word + "\n");
  return Status::OK();
}

Status Delete(const Arguments& arguments, const Session& session,
              const std::string& word) {
  const auto key = arguments.Key(word);
  if (!key.ok()) return key.status();
  RETURN_IF_ERROR(session.db()->Delete(WriteOptions(), session.family(), *key));
  Print("Successfully deleted " + word + "\n");
  return Status::OK();
}

Status RunLine(const Arguments& arguments, const Session& session,
               const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  const size_t n = words.size();
  if (n == 1 && words[0] == "help") {
    Print(kHelp);
  } else if (n == 2 && words[0] == "get") {
    return Get(arguments, session, words[1]);
  } else if (n == 3 && words[0] == "put") {
    return Put(arguments, session, words[1], words[2]);
  } else if (n == 2 && words[0] == "delete") {
    return Delete(arguments, session, words[1]);
  } else {
    Print("Unknown command " + line + "\n");
  }
  return Status::OK();
}

Outcome Query(const Arguments& arguments) {
  auto session = Session::Open(arguments, OpenMode::kWritable);
  if (!session.ok()) return session.status();
  for (std::string line; std::getline(std::cin, line);) {
    const Status status = RunLine(arguments, **session, line);
    // A mistake in one line must not end an interactive session.
    if (!status.ok()) Print("Error: " + status.ToString() + "\n");
    std::fflush(stdout);
  }
  return (*session)->Close();
}

const char* const kQueryFlags[] = {"ttl"};

}  // namespace

const Command kQuery = {
    "query",
    "[--ttl]\n    Starts a REPL shell.  Type help for list of available "
    "commands.",
    kQueryFlags, true, Query};

}  // namespace ROCKSDB_NAMESPACE::ldb
