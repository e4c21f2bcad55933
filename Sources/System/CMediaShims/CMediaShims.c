#include "CMediaShims.h"
