#include "tools/db_bench/flags.h"

#define FLAG(type, name, value, help) DEFINE_##type(name, value, help);
#include "tools/db_bench/flags.def"  // NOLINT: expanded here on purpose.
#undef FLAG
