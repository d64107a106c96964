#pragma once
typedef __builtin_va_list va_list;
