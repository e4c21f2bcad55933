#pragma once
#include "oriel_datagram.h"
#include "oriel_loop.h"
