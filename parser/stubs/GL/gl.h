#pragma once
#define GL_VERSION_1_1 1
#define GL_VERSION 0x1F02
typedef unsigned int GLenum;
typedef unsigned int GLuint;
