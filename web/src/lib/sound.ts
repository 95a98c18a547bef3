/** The sounds of a table, synthesised: no files, and none until a person has switched them on. */

import { settings } from "./state/settings";

export type Sound = "card" | "chip" | "win" | "jackpot" | "tick";

let context: AudioContext | undefined;
let noise: AudioBuffer | undefined;

/** A short burst of noise through a filter: card on felt, chip on chip. */
function burst(audio: AudioContext, at: number, frequency: number, length: number, volume: number): void {
  if (!noise) {
    noise = audio.createBuffer(1, audio.sampleRate / 4, audio.sampleRate);
    const data = noise.getChannelData(0);
    for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
  }
  const [source, filter, gain] = [audio.createBufferSource(), audio.createBiquadFilter(), audio.createGain()];
  source.buffer = noise;
  filter.type = "bandpass";
  filter.frequency.value = frequency;
  filter.Q.value = 1.4;
  gain.gain.setValueAtTime(volume, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start(at);
  source.stop(at + length);
}

function tone(audio: AudioContext, at: number, frequency: number, length: number, volume: number): void {
  const [oscillator, gain] = [audio.createOscillator(), audio.createGain()];
  oscillator.type = "triangle";
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(volume, at + 0.015);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
}

function melody(audio: AudioContext, at: number, notes: number[], step: number): void {
  for (const [i, note] of notes.entries()) tone(audio, at + i * step, note, step * 4, 0.11);
}

const SCORES: Record<Sound, (audio: AudioContext, at: number) => void> = {
  card: (audio, at) => burst(audio, at, 1800, 0.09, 0.35),
  chip: (audio, at) => {
    burst(audio, at, 5200, 0.04, 0.5);
    tone(audio, at, 2350, 0.07, 0.06);
    burst(audio, at + 0.06, 4700, 0.035, 0.3);
  },
  tick: (audio, at) => tone(audio, at, 880, 0.06, 0.05),
  win: (audio, at) => melody(audio, at, [523, 659, 784], 0.09),
  jackpot: (audio, at) => melody(audio, at, [523, 659, 784, 1047, 784, 1047, 1319], 0.13),
};

/** Play a sound where the person wants sounds; `times` repeats it, as for cards that come one after the other. */
export function play(sound: Sound, times = 1): void {
  if (!settings.current.tableSound) return;
  context ??= new AudioContext();
  void context.resume();
  for (let i = 0; i < times; i++) SCORES[sound](context, context.currentTime + 0.02 + i * 0.055);
}
