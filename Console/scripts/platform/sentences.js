/**
 * What a number means and what to do, for numbers that reach the browser without words: those of signalling,
 * of the link, and of the browser's own failures. Where the table has a number, its words win over those of
 * the platform's answer, which are also written for the command line.
 */
const table = new Map([
  [110001, ["Something in the request was not accepted", "Check what you entered and try again."]],
  [110002, ["Your sign-in is no longer valid", "Sign in again."]],
  [110003, ["Your sign-in has expired", "Sign in again."]],
  [110006, ["There were too many attempts from this address", "Wait a few minutes and try again."]],
  [110007, ["The platform's limit of calls has been reached", "Wait and try again."]],
  [110019, [
    "The account or the password is wrong",
    "Try again. After several failures the platform makes you wait."]],
  [110029, ["That was too fast", "Wait a moment and try again."]],
  [110031, ["This account may not do that", "Ask the device's owner or the administrator."]],
  [120001, ["The device has no such camera", "Open its details to see which cameras it has."]],
  [120002, [
    "No device with this serial has ever connected here",
    "Check the serial, and connect the device to power and network first."]],
  [120006, ["The device's network does not work properly", "Check the device's network and try again."]],
  [120007, ["The device is offline", "Connect it to power and network and try again."]],
  [120008, ["The device did not answer in time", "Try again."]],
  [120010, ["The verification code is wrong", "Use the six letters on the device's label."]],
  [120011, ["The device could not be added", "Check the device's network and try again."]],
  [120012, ["The device could not be added", "Try again."]],
  [120013, ["The device belongs to another account", "Ask its owner to remove it there first."]],
  [120014, [
    "This is not a device serial",
    "A serial has nine characters: digits, or one or two letters and then digits."]],
  [120017, ["This device is already in your account", "You find it in the list."]],
  [120018, ["This device is not in your account", "Add it first, or sign in with the account that owns it."]],
  [120020, ["This device is already in your account", "You find it in the list."]],
  [120022, ["The device belongs to another account", "Ask its owner to remove it there first."]],
  [120019, ["This platform has no cloud storage", "Ask the administrator to switch it on, or look at the camera."]],
  [120023, ["The device is offline", "Connect it to power and network, then add it."]],
  [120024, [
    "The device is offline and belongs to another account",
    "Ask its owner to remove it there first."]],
  [120029, ["This device is already in your account, and offline", "Connect it to power and network."]],
  [120032, ["The account has no such camera", "Open the device's details to see which cameras it has."]],
  [150000, ["The platform failed", "Try again. The platform's log has the reason."]],
  [160019, ["These recordings are encrypted", "Watch them with a player that knows the video password."]],
  [160020, ["This camera cannot do that", "Update it, or switch recording on where it runs."]],
  [360001, ["The camera did not answer the call", "Try again."]],
  [360002, ["The talk was lost", "Try again."]],
  [360010, ["Somebody else is talking with this camera", "Wait until they have finished and try again."]],
  [360013, ["The camera protects its privacy", "Switch its privacy mask off."]],
  [380011, ["The camera protects its privacy", "Switch its privacy mask off."]],
  [380045, ["The camera serves as many viewers as it can", "Stop another view of it first."]],
  [380209, ["No picture came in time", "Start the view again. If it stays, look at the device's details."]],
  [390038, ["The picture did not start in time", "Start the view again."]],
  [395402, ["Nothing was recorded at this time", "Choose another time."]],
  [395404, ["The device is offline", "Connect it to power and network and try again."]],
  [395406, ["Your right to view this camera has ended", "Sign in again."]],
  [395415, ["The device has no such camera", "Open its details to see which cameras it has."]],
  [395500, ["The view failed inside the camera", "Start it again. The camera's log has the reason."]],
  [395544, [
    "The camera gives no picture",
    "Open the device's details; they say what is wrong with its source."]],
  [400015, ["The picture stopped coming", "Start the view again."]],
  [400025, ["One cannot talk with this camera", "Give it a loudspeaker where it runs."]],
  [400035, [
    "The video is encrypted and needs its password",
    "Watch it with a player that knows the password."]],
  [400036, ["The video password is wrong", "Ask for it again."]],
  [400041, ["The picture could not be decoded", "Start the view again, or use the other quality."]],
  [710001, ["The camera's source cannot be reached", "Check its address and that it is switched on."]],
  [710002, [
    "The camera's source refuses its user or password",
    "Check the credentials that the agent was started with."]],
  [710003, ["The camera's source does not have this stream", "Check the path of its address."]],
  [710004, [
    "The camera's source stopped sending",
    "It is tried again by itself. Check the camera's network."]],
  [710005, ["The camera's source sends what is no video", "Check that the address is a camera's."]],
  [710006, [
    "The camera's source has a form that cannot be used",
    "Choose H.264 or H.265 in the camera's settings."]],
  [710007, ["The source's address is not valid", "Correct the address that the agent was started with."]],
  [720004, ["There is no picture yet", "Start the view and wait for the first picture."]],
  [720201, ["The playback would end before it starts", "Choose another time."]],
  [720202, ["This time has not come yet", "Choose an earlier one."]],
  [720203, ["This time lies outside what is played", "Choose a time of the day that is shown."]],
  [720204, ["The recording cannot be read", "Check the camera's storage where it runs, with “oriel camera check”."]],
  [720310, ["The store behind the cloud cannot be reached", "Try again later, or look at the camera."]],
  [730001, ["The platform cannot be reached", "Check your network, and that the platform runs."]],
  [730003, [
    "The platform's answer was not understood",
    "Load this page again. If it stays, tell the administrator."]],
  [730007, ["A message was not understood", "Load this page again, so that it has the platform's version."]],
  [740001, [
    "No network path to the camera was found",
    "Check firewalls, or ask the administrator to set up a TURN server."]],
  [740002, [
    "The connection to the camera was lost and did not come back",
    "Check the camera and the network, then start the view again."]],
  [740003, [
    "The encrypted connection to the camera could not be made",
    "Start the view again. If it stays, somebody may be in between."]],
  [740004, [
    "The camera did not accept the browser's offer",
    "Update the browser and the camera, then start again."]],
  [740005, [
    "This browser and the camera have no video format in common",
    "Choose H.264 in the camera's settings, or use another browser."]],
  [740006, ["The camera no longer knows this view", "Start it again."]],
  [750003, ["The camera's loudspeaker cannot be opened", "Check the sound settings where the camera runs."]],
  [750004, ["The microphone cannot be used", "Check the system's sound settings and talk again."]],
]);

/** `[what happened, what to do]` for a number, or undefined when the table has none. */
export function sentenceFor(code) {
  return table.get(code);
}

/** Every number that the table knows; a test compares them with Model's. */
export const knownCodes = [...table.keys()];
