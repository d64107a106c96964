#pragma once
#include <stddef.h>
typedef struct __cybindgo_file FILE;
