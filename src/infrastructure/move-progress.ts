import { setInterval as every } from 'node:timers';
import { systemClock } from '../adapters/outbound/system/system-clock.js';
import type { MoveStep } from '../application/storage/move-storage.js';

const REPORT_MS = 5_000;

/** How far the copy is; what an earlier run had copied is not known, nor what there is altogether. */
interface Figures {
  readonly rows: number;
  readonly of?: number;
  readonly rowsPerSecond: number;
  readonly secondsLeft?: number;
}

/** Rows that arrived, and how long the others will take. */
class Progress {
  readonly #startedAt = performance.now();
  #before = 0;
  #inTable: { readonly table: string; readonly rows: number } | undefined;

  constructor(private readonly known: number | undefined) {}

  add(table: string, rows: number): void {
    if (this.#inTable !== undefined && this.#inTable.table !== table) this.#before += this.#inTable.rows;
    this.#inTable = { table, rows };
  }

  figures(): Figures {
    const rows = this.#before + (this.#inTable?.rows ?? 0);
    const rate = rows / ((performance.now() - this.#startedAt) / 1_000);
    const rowsPerSecond = Math.round(rate);
    if (this.known === undefined) return { rows, rowsPerSecond };
    const left = rate === 0 ? {} : { secondsLeft: Math.ceil(Math.max(this.known - rows, 0) / rate) };
    return { rows, of: this.known, rowsPerSecond, ...left };
  }
}

const inWords = ({ rows, of, rowsPerSecond, secondsLeft }: Figures): string => {
  if (of === undefined) return `Copied ${rows} rows, ${rowsPerSecond} a second.`;
  const share = of === 0 ? 100 : Math.floor((Math.min(rows, of) / of) * 100);
  const left = secondsLeft === undefined ? '' : `, some ${secondsLeft} s left`;
  return `Copied ${rows} of ${of} rows (${share} %), ${rowsPerSecond} a second${left}.`;
};

type Told = Exclude<MoveStep, { readonly step: 'copied' }> | ({ readonly step: 'copying' } & Figures);

const SAID = {
  'made indexes': 'Copied every row, and made the indexes.',
  verified: 'Compared every row: both databases are equal.',
  holding: 'Follows what changes until "gatehouse storage cut" is run.',
  'compared again': 'Compared every row once more, as of the cut.',
};

const sentenceOf = (told: Told): string => {
  switch (told.step) {
    case 'looked':
      return `Found ${told.look.rows} rows.`;
    case 'mended':
      return `Replaced in the source: ${told.mended.map(({ table, key, column }) => `${table} ${key.join(', ')} ${column}`).join('; ')}.`;
    case 'resumed':
      return `Goes on with the move ${told.move}.`;
    case 'copying':
      return inWords(told);
    case 'cut':
      return `Writers waited ${told.pauseMs} ms, in which ${told.keys} rows were taken over.`;
    default:
      return SAID[told.step];
  }
};

/** Tells of each step once, and of rows now and then: as a sentence, or as an object of JSON a line. `steps` says when each was done. */
export const reportMove = (tell: (line: string) => void, asJson: boolean) => {
  const say = (told: Told): void => tell(asJson ? JSON.stringify(told) : sentenceOf(told));
  let progress: Progress | undefined;
  const timer = every(() => progress && say({ step: 'copying', ...progress.figures() }), REPORT_MS);
  timer.unref();
  const steps: Partial<Record<MoveStep['step'], string>> = {};
  const report = (step: MoveStep): void => {
    steps[step.step] = systemClock.now().toISOString();
    if (step.step === 'copied') {
      progress?.add(step.table, step.rows);
      return;
    }
    if (step.step === 'looked') progress = new Progress(step.look.rows);
    else if (step.step === 'resumed') progress = new Progress(undefined);
    else if (step.step !== 'mended') progress = undefined;
    say(step);
  };
  return { report, steps, end: () => clearInterval(timer) };
};
