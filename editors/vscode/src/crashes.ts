/** Whether a server that fell over is to be started again. */

/** So many crashes within so many milliseconds are too many: another start would not help. */
const MOST = 5;
const WITHIN = 3 * 60 * 1000;

/** The latest crashes of a server. */
export class Crashes {
  private readonly times: number[] = [];

  /** Notes a crash at a time in milliseconds. The answer is whether there were too many of late. */
  note(now: number): boolean {
    this.times.push(now);
    if (this.times.length > MOST) {
      this.times.shift();
    }
    const first = this.times[0] ?? now;
    return this.times.length === MOST && now - first <= WITHIN;
  }
}
