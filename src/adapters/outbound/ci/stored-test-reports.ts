import { LRUCache } from 'lru-cache';
import type { ArtifactFiles } from '../../../application/pipelines/ports/artifact-ports.js';
import type { LeftReport, TestReportReader } from '../../../application/pipelines/ports/test-report-reader.js';
import {
  NO_RESULTS,
  sizeOf,
  testsOf,
  totalOf,
  type PipelineTests,
  type TestResults,
} from '../../../domain/pipelines/test-report.js';
import { BadRequest, NotFound, TooLarge } from '../../../domain/shared/domain-error.js';
import { Slots } from '../../turns/slots.js';
import { readTestReport } from './read-test-report.js';

/** Of a pipeline so many are read, of so many bytes unpacked and so many tests together: a second or two of a processor. */
const MOST_REPORTS = 100;
const MOST_BYTES = 20 * 1_048_576;
const MOST_TESTS = 200_000;
const READ_AT_ONCE = 2;
/** Of all pipelines whose tests are remembered, in characters. */
const MOST_REMEMBERED = 10_000_000;

const unread = (problem: string): TestResults => ({ ...NO_RESULTS, problem });
const TOO_MANY = unread('not read: the reports of this pipeline are too many, or too large together');

/** What a pipeline may still take. */
interface Room {
  reports: number;
  bytes: number;
  tests: number;
}

async function* counted(bytes: AsyncIterable<Uint8Array>, room: Room): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    room.bytes -= chunk.length;
    yield chunk;
  }
}

/** Reports as they lie where jobs left them. None ever changes: what was read a moment ago isn't read again. */
export class StoredTestReports implements TestReportReader {
  readonly #turns = new Slots(READ_AT_ONCE, 1);
  readonly #remembered = new LRUCache<string, PipelineTests>({
    maxSize: MOST_REMEMBERED,
    sizeCalculation: ({ suites }, key) => suites.reduce((size, suite) => size + sizeOf(suite), key.length),
  });

  constructor(private readonly files: Pick<ArtifactFiles, 'unpack'>) {}

  async read(reports: readonly LeftReport[]): Promise<PipelineTests> {
    if (reports.length === 0) return testsOf([]);
    const key = reports.map(({ job, fileKey }) => `${job.id} ${fileKey}`).join();
    return this.#remembered.get(key) ?? this.#turns.during(key, () => this.#readAll(key, reports));
  }

  async #readAll(key: string, reports: readonly LeftReport[]): Promise<PipelineTests> {
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const room = { reports: MOST_REPORTS, bytes: MOST_BYTES, tests: MOST_TESTS };
    const read: { readonly job: LeftReport['job']; readonly results: TestResults }[] = [];
    for (const { job, fileKey } of reports) {
      const results = await this.#readWithin(room, fileKey);
      if (results !== undefined) read.push({ job, results });
    }
    const tests = testsOf(read);
    this.#remembered.set(key, tests);
    return tests;
  }

  /** Undefined where its file is gone. */
  async #readWithin(room: Room, fileKey: string): Promise<TestResults | undefined> {
    room.reports -= 1;
    if (room.reports < 0 || room.bytes <= 0 || room.tests <= 0) return TOO_MANY;
    try {
      const results = await readTestReport(counted(this.files.unpack(fileKey, room.bytes), room), room.tests);
      room.tests -= totalOf(results.counts);
      return results;
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      if (error instanceof TooLarge) {
        room.bytes = 0;
        return TOO_MANY;
      }
      if (error instanceof BadRequest) return unread('the report is not packed by gzip');
      throw error;
    }
  }
}
