/** Text in base64, by way of UTF-8. */
function encoded(payload) {
  return btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(payload))));
}

/** The payload of a signalling message, or null when it is not understood. */
export function payloadOf(message) {
  try {
    const bytes = Uint8Array.from(atob(message.messagePayload), (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

/** A signalling message to a device. */
export function signal(action, sessionId, serial, payload, fields = {}) {
  return {
    action, sessionId, recipientClientId: serial,
    ...(payload === undefined ? {} : { messagePayload: encoded(payload) }), ...fields,
  };
}
