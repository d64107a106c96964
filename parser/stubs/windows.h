#pragma once
#include <stddef.h>
typedef void *HANDLE;
