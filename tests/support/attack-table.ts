import { writeSync } from 'node:fs';
import { afterAll, expect, it } from '@jest/globals';

/** The attacks of each section; a suite that leaves one out fails. */
const ROWS = {
  A: ['A1', 'A2', 'A3', 'A4', 'A5', 'A7', 'A9', 'A10', 'A12', 'A13', 'A14', 'A16', 'A18', 'A19', 'A20', 'A21', 'A22'],
  B: [
    ...['B1', 'B2', 'B3', 'B4', 'B5', 'B7', 'B8', 'B10', 'B11', 'B12', 'B14', 'B15', 'B16', 'B18', 'B19', 'B20'],
    ...['B21', 'B22', 'B23', 'B24'],
  ],
  C: ['C2', 'C3', 'C4', 'C5', 'C6', 'C7', 'C9', 'C10', 'C11', 'C12', 'C14', 'C15'],
  D: [
    ...['D1', 'D2', 'D4', 'D5', 'D6', 'D7', 'D8', 'D10', 'D12', 'D14', 'D15', 'D16', 'D17', 'D18', 'D19', 'D20', 'D22'],
  ],
  E: ['E2', 'E5', 'E6', 'E8', 'E9', 'E11', 'E13', 'E14', 'E15', 'E16', 'E17', 'E18', 'E19', 'E20'],
} as const;

export type AttackSection = keyof typeof ROWS;

/** Runs each attack as a test of its own, and prints what was seen of all of them. */
export class AttackTable {
  readonly #seen = new Map<string, string>();
  #suite = '';

  constructor(private readonly section: AttackSection) {
    afterAll(() => this.#print());
  }

  /** @param tryIt resolves with what was seen, in a few words. */
  attack(row: string, rule: string, tryIt: () => Promise<string>, timeoutMs?: number): void {
    const test = async (): Promise<void> => {
      this.#suite = (expect.getState().currentTestName ?? '').split(` ${row} `)[0] ?? '';
      this.#seen.set(row, await tryIt());
    };
    it(`${row} ${rule}`, test, timeoutMs);
  }

  /** To be called last. */
  complete(): void {
    it('leaves no row of the table out', () => {
      expect([...this.#seen.keys()].sort()).toEqual([...ROWS[this.section]].sort());
    });
  }

  #print(): void {
    const lines = ROWS[this.section].map((row) => `  ${row.padEnd(4)} ${this.#seen.get(row) ?? 'NOT SEEN'}`);
    // Past the test runner, which would add where it was printed from.
    writeSync(2, `Section ${this.section}: ${this.#suite}\n${lines.join('\n')}\n`);
  }
}
