// The older place of rocksdb/convenience.h.
#pragma once

#include "rocksdb/convenience.h"
