/**
 * Plays short tones for what happens, made by WebAudio; silent until the player has chosen sound.
 */

/** Tone heights in hertz, one after the other. */
const TONES = {
  move: [440], theirs: [330], take: [330, 220], check: [660, 660], start: [440, 550, 660], end: [550, 440, 330],
  offer: [550, 660], low: [880],
};
const EACH_S = 0.09;

export class Sound {
  constructor() {
    this.on = false;
    /** @type {AudioContext | null} */ this.context = null;
  }

  /**
   * Browsers allow no sound, and warn of each tone, before the player has done something on the page: none is tried.
   * @param {keyof typeof TONES} name
   */
  play(name) {
    if (!this.on || !window.AudioContext || navigator.userActivation?.hasBeenActive === false) return;
    const context = this.context ??= new AudioContext();
    TONES[name].forEach((height, at) => {
      const tone = context.createOscillator(), volume = context.createGain();
      const begins = context.currentTime + at * EACH_S;
      tone.frequency.value = height;
      tone.type = "triangle";
      volume.gain.setValueAtTime(0.15, begins);
      volume.gain.exponentialRampToValueAtTime(0.001, begins + EACH_S * 2);
      tone.connect(volume).connect(context.destination);
      tone.start(begins);
      tone.stop(begins + EACH_S * 2);
    });
  }
}
