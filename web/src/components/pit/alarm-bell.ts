/** The bell of the pit. */

import { settings } from "../../lib/state/settings";

/** The pitches of the two notes in hertz, and the seconds between them. */
const NOTES = [660, 880];
const SPACING = 0.18;

/** Play two short notes where the browser allows sound, and vibrate where the device can. */
export function ring(): void {
  navigator.vibrate?.([120, 80, 120]);
  if (!settings.current.sound || !navigator.userActivation?.hasBeenActive) return;
  const audio = new AudioContext();
  NOTES.forEach((pitch, i) => {
    const start = audio.currentTime + SPACING * i;
    const note = audio.createOscillator();
    const volume = audio.createGain();
    note.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.16);
    note.connect(volume).connect(audio.destination);
    note.start(start);
    note.stop(start + 0.17);
    if (i === NOTES.length - 1) note.onended = () => void audio.close();
  });
}
