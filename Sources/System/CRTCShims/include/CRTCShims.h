#pragma once
#include "oriel_datagram.h"
#include "oriel_dtls.h"
#include "oriel_ice.h"
#include "oriel_loop.h"
#include "oriel_nest.h"
#include "oriel_sctp.h"
#include "oriel_srtp.h"
