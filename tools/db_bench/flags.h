// The command-line flags of db_bench as FLAGS_<name>; the list is flags.def.
#pragma once

#include <gflags/gflags.h>

#define FLAG(type, name, value, help) DECLARE_##type(name);
#include "tools/db_bench/flags.def"  // NOLINT: expanded here on purpose.
#undef FLAG
