import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/infrastructure/main.js', import.meta.url));

/** What a run of the move says it is through with, in their order; it has said nothing at `begun`. */
export const STEPS = ['begun', 'looked', 'made indexes', 'verified', 'cut', 'compared again'] as const;
export type Step = (typeof STEPS)[number];

interface Told {
  readonly step: string;
  readonly pauseMs?: number;
}

/** One run of `gatehouse storage move`, and what it says meanwhile. */
export class MoveRun {
  readonly exited: Promise<number | null>;
  /** When it said what it is through with, as `performance.now` has it. */
  readonly at = new Map<string, number>([['begun', performance.now()]]);
  /** How long writers waited, as it says. */
  pauseMs: number | undefined;
  readonly #waiting = new Map<string, () => void>();

  private constructor(private readonly child: ChildProcess) {
    this.exited = (once(child, 'exit') as Promise<[number | null]>).then(([code]) => code);
    if (child.stdout !== null)
      createInterface({ input: child.stdout }).on('line', (line) => {
        const { step, pauseMs = this.pauseMs } = JSON.parse(line) as Told;
        this.pauseMs = pauseMs;
        this.at.set(step, performance.now());
        this.#waiting.get(step)?.();
      });
  }

  static start(settings: Readonly<Record<string, string>>, to: string): MoveRun {
    return new MoveRun(
      spawn(process.execPath, [MAIN, 'storage', 'move', '--to', to, '--json'], {
        env: { PATH: process.env['PATH'], ...settings },
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    );
  }

  /** Whether it got through with a step before it ended. */
  reaches(step: Step): Promise<boolean> {
    if (this.at.has(step)) return Promise.resolve(true);
    const reached = new Promise<boolean>((resolve) => this.#waiting.set(step, () => resolve(true)));
    return Promise.race([reached, this.exited.then(() => false)]);
  }

  kill(): boolean {
    return this.child.kill('SIGKILL');
  }
}
