// A stopwatch that runs while the page is visible.

export class Timer {
  #seconds = 0;
  #since = 0; // when it was started; 0 while it is stopped
  #interval = 0;

  /** @param {() => void} onTick */
  constructor(onTick) {
    this.onTick = onTick;
    this.onVisibility = () => (document.hidden ? this.#halt() : this.#go());
    document.addEventListener("visibilitychange", this.onVisibility);
    this.isRunning = false;
  }

  get seconds() {
    return this.#seconds + (this.#since ? (performance.now() - this.#since) / 1000 : 0);
  }

  /** @param {number} seconds */
  start(seconds) {
    this.#seconds = seconds;
    this.#since = 0;
    this.isRunning = true;
    this.#go();
  }

  stop() {
    this.isRunning = false;
    this.#halt();
  }

  close() {
    this.stop();
    document.removeEventListener("visibilitychange", this.onVisibility);
  }

  get text() {
    const seconds = Math.floor(this.seconds);
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const shown = parts[0] ? parts : parts.slice(1);
    return shown.map((part, index) => (index ? String(part).padStart(2, "0") : part)).join(":");
  }

  #go() {
    if (!this.isRunning || this.#since || document.hidden) return;
    this.#since = performance.now();
    this.#interval = setInterval(this.onTick, 1000);
    this.onTick();
  }

  #halt() {
    this.#seconds = this.seconds;
    this.#since = 0;
    clearInterval(this.#interval);
    this.onTick();
  }
}
