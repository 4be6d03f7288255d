"""A tour of the C interface from Python, through ctypes: the same steps, and the
same output, as the examples in the other languages.

  main.py LIBRARY DIRECTORY

LIBRARY is librocksdb.so; DIRECTORY is empty.
"""

import ctypes
import os
import sys

ROWS = 1000
FAMILIES = (b"default", b"index")

# Of all functions that are called here: what they return, if it is not an int.
POINTERS = """options_create writeoptions_create readoptions_create
    open_column_families open_for_read_only_column_families create_snapshot
    get_cf get create_iterator_cf writebatch_create flushoptions_create
    checkpoint_object_create transactiondb_options_create transactiondb_open
    transaction_options_create transaction_begin transaction_get_for_update
    transactiondb_get"""


def load(path):
    library = ctypes.CDLL(path)
    for name in POINTERS.split():
        getattr(library, "rocksdb_" + name).restype = ctypes.c_void_p
    library.rocksdb_iter_valid.restype = ctypes.c_ubyte
    return library


LIBRARY = load(sys.argv[1]) if len(sys.argv) == 3 else sys.exit(__doc__)


class Error(Exception):
    pass


def plain(name, *arguments):
    """Calls rocksdb_`name`, which cannot fail. Bytes go with their length, and
    whole numbers that are wider than an int must come as a ctypes object."""
    passed = []
    for argument in arguments:
        if isinstance(argument, bytes):
            passed += [argument, ctypes.c_size_t(len(argument))]
        else:
            passed.append(argument)
    return getattr(LIBRARY, "rocksdb_" + name)(*passed)


def call(name, *arguments):
    """The same for functions that end with an errptr."""
    error = ctypes.c_char_p()
    result = plain(name, *arguments, ctypes.byref(error))
    if error.value is not None:
        text = error.value.decode()
        plain("free", error)
        raise Error(text)
    return result


def pointer(address):
    return ctypes.c_void_p(address)


def path_of(*parts):
    return ctypes.c_char_p(os.path.join(*parts).encode())


def taken(address, length):
    """The bytes that a function has allocated; None for a key that is not."""
    if address is None:
        return None
    value = ctypes.string_at(address, length.value)
    plain("free", pointer(address))
    return value


def get(name, *arguments):
    length = ctypes.c_size_t()
    return taken(call(name, *arguments, ctypes.byref(length)), length)


def key(number):
    return b"key%06d" % number


def new(name):
    return pointer(plain(name + "_create"))


def options():
    made = new("options")
    plain("options_set_create_if_missing", made, 1)
    plain("options_set_create_missing_column_families", made, 1)
    return made


WRITING = new("writeoptions")
READING = new("readoptions")


def open_families(function, path, *more):
    each = options()
    count = len(FAMILIES)
    handles = (ctypes.c_void_p * count)()
    database = call(function, each, path, count,
                    (ctypes.c_char_p * count)(*FAMILIES),
                    (ctypes.c_void_p * count)(each, each), handles, *more)
    return pointer(database), [pointer(handle) for handle in handles]


def close(database, families):
    for family in families:
        plain("column_family_handle_destroy", family)
    plain("close", database)


def count(database, family, begin=b"", end=None):
    """Rows with keys from begin up to end, which is open if it is None."""
    within = new("readoptions")
    if end is not None:
        plain("readoptions_set_iterate_upper_bound", within, end)
    it = pointer(plain("create_iterator_cf", database, within, family))
    rows = 0
    plain("iter_seek", it, begin)
    while plain("iter_valid", it):
        rows += 1
        plain("iter_next", it)
    call("iter_get_error", it)
    plain("iter_destroy", it)
    plain("readoptions_destroy", within)
    return rows


def fill(database, families):
    batch = new("writebatch")
    for number in range(ROWS):
        plain("writebatch_put_cf", batch, families[0], key(number), b"value 1")
        plain("writebatch_put_cf", batch, families[1], b"%d" % number,
              key(number))
        if plain("writebatch_count", batch) >= 100:
            call("write", database, WRITING, batch)
            plain("writebatch_clear", batch)
    call("write", database, WRITING, batch)
    plain("writebatch_destroy", batch)


def snapshots(database, family):
    snapshot = pointer(plain("create_snapshot", database))
    before = new("readoptions")
    plain("readoptions_set_snapshot", before, snapshot)
    call("put_cf", database, WRITING, family, key(7), b"value 2")
    old = get("get_cf", database, before, family, key(7))
    now = get("get_cf", database, READING, family, key(7))
    print(f"a snapshot reads {old.decode()}, a read now {now.decode()}")
    plain("readoptions_destroy", before)
    plain("release_snapshot", database, snapshot)


def checkpoint(database, path):
    maker = pointer(call("checkpoint_object_create", database))
    call("checkpoint_create", maker, path, ctypes.c_uint64(0))
    plain("checkpoint_object_destroy", maker)
    copy, families = open_families("open_for_read_only_column_families", path,
                                   ctypes.c_ubyte(0))
    print(f"the checkpoint holds {count(copy, families[0])} rows")
    close(copy, families)


def transactions(path):
    database = pointer(call("transactiondb_open", options(),
                            new("transactiondb_options"), path))
    call("transactiondb_put", database, WRITING, b"a", b"70")
    call("transactiondb_put", database, WRITING, b"b", b"30")
    patience = new("transaction_options")
    plain("transaction_options_set_lock_timeout", patience,
          ctypes.c_int64(10))  # Milliseconds.
    first, second = (
        pointer(plain("transaction_begin", database, WRITING, patience, None))
        for _ in range(2))

    def change(account, by):
        length = ctypes.c_size_t()
        held = taken(call("transaction_get_for_update", first, READING, account,
                          ctypes.byref(length), ctypes.c_ubyte(1)), length)
        call("transaction_put", first, account, b"%d" % (int(held) + by))

    change(b"a", -25)
    try:
        call("transaction_put", second, b"a", b"0")
        sys.exit("two transactions hold the same lock")
    except Error as error:
        assert str(error).startswith("Operation timed out"), error
    print("a transaction that meets another one's lock: timed out")
    call("transaction_rollback", second)
    change(b"b", 25)
    call("transaction_commit", first)
    total = sum(int(get("transactiondb_get", database, READING, account))
                for account in (b"a", b"b"))
    print(f"2 accounts hold {total}")
    for transaction in (first, second):
        plain("transaction_destroy", transaction)
    plain("transactiondb_close", database)


def main():
    directory = sys.argv[2]
    database, families = open_families("open_column_families",
                                       path_of(directory, "db"))
    call("set_options", database, 1,
         (ctypes.c_char_p * 1)(b"auto_tuned_compaction"),
         (ctypes.c_char_p * 1)(b"true"))
    fill(database, families)
    print(f"{count(database, families[0])} rows in {len(families)} column "
          "families, with auto_tuned_compaction")
    snapshots(database, families[0])
    call("flush", database, new("flushoptions"))
    plain("compact_range", database, None, ctypes.c_size_t(0), None,
          ctypes.c_size_t(0))
    rows = count(database, families[0], key(100), key(200))
    print(f"{rows} rows from {key(100).decode()} to {key(200).decode()}")
    checkpoint(database, path_of(directory, "copy"))
    close(database, families)
    transactions(path_of(directory, "transactions"))


if __name__ == "__main__":
    main()
