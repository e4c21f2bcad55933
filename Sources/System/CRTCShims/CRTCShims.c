#include "CRTCShims.h"
