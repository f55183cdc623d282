/** How a test ended. `error` is what went wrong beside what it checks. */
export const TEST_STATUSES = ['success', 'failed', 'skipped', 'error'] as const;
export type TestStatus = (typeof TEST_STATUSES)[number];

export interface TestCase {
  readonly status: TestStatus;
  readonly name: string;
  readonly className: string;
  /** Of its source; null where its report doesn't say. */
  readonly file: string | null;
  readonly seconds: number;
  /** What is said of how it ended. */
  readonly output: string | null;
}

export type TestCounts = Readonly<Record<TestStatus, number>>;

/** What the tests of one or several jobs came to. All of them are counted; of very many not all are listed. */
export interface TestResults {
  readonly counts: TestCounts;
  readonly seconds: number;
  readonly cases: readonly TestCase[];
  /** Why a report couldn't be read, or not as a whole. */
  readonly problem: string | null;
}

export interface TestSuite extends TestResults {
  readonly name: string;
  readonly jobIds: readonly number[];
}

/** All that the jobs of a pipeline reported. */
export interface PipelineTests extends Omit<TestResults, 'cases' | 'problem'> {
  readonly suites: readonly TestSuite[];
}

interface Room {
  cases: number;
  characters: number;
}

const NONE: TestCounts = { success: 0, failed: 0, skipped: 0, error: 0 };
const MICROSECONDS = 1_000_000;
/** Beside its texts. */
const CASE_SIZE = 100;

export const NO_RESULTS: TestResults = { counts: NONE, seconds: 0, cases: [], problem: null };

export const isUnsuccessful = ({ status }: Pick<TestCase, 'status'>): boolean =>
  status === 'failed' || status === 'error';

export const totalOf = (counts: TestCounts): number => TEST_STATUSES.reduce((sum, status) => sum + counts[status], 0);

const lengthOf = ({ name, className, file, output }: TestCase): number =>
  name.length + className.length + (file ?? '').length + (output ?? '').length;

/** About how much memory they take, in characters. */
export const sizeOf = ({ cases }: TestResults): number =>
  cases.reduce((size, each) => size + CASE_SIZE + lengthOf(each), CASE_SIZE);

/** Says of each case, in turn, whether it is listed. Those that failed have room of their own: however many succeed, they are found. */
export const roomForCases = (times = 1): ((testCase: TestCase) => boolean) => {
  const rooms: Readonly<Record<'failed' | 'others', Room>> = {
    failed: { cases: 1_000 * times, characters: 500_000 * times },
    others: { cases: 4_000 * times, characters: 500_000 * times },
  };
  return (testCase) => {
    const room = rooms[isUnsuccessful(testCase) ? 'failed' : 'others'];
    const length = lengthOf(testCase);
    if (room.cases < 1 || room.characters < length) return false;
    room.cases -= 1;
    room.characters -= length;
    return true;
  };
};

const sum = (one: TestCounts, other: TestCounts): TestCounts => ({
  success: one.success + other.success,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
  error: one.error + other.error,
});

const together = (all: readonly Pick<TestResults, 'counts' | 'seconds'>[]) => ({
  counts: all.reduce((counts, each) => sum(counts, each.counts), NONE),
  seconds: Math.round(all.reduce((seconds, each) => seconds + each.seconds, 0) * MICROSECONDS) / MICROSECONDS,
});

/** Jobs that `parallel` makes of one share a suite. */
const suiteNameOf = (job: string): string => job.replace(/ \d+\/\d+$/, '');

/** What jobs of a pipeline reported, a suite for each job, in their order. */
export const testsOf = (
  reported: readonly { readonly job: { readonly id: number; readonly name: string }; readonly results: TestResults }[],
): PipelineTests => {
  const byName = new Map<string, typeof reported>();
  for (const each of reported) {
    const name = suiteNameOf(each.job.name);
    byName.set(name, [...(byName.get(name) ?? []), each]);
  }
  const isListed = roomForCases(2);
  const suites = [...byName].map(([name, of]): TestSuite => {
    const results = of.map((each) => each.results);
    return {
      name,
      jobIds: of.map(({ job }) => job.id),
      ...together(results),
      cases: results.flatMap(({ cases }) => cases).filter(isListed),
      problem: results.find(({ problem }) => problem !== null)?.problem ?? null,
    };
  });
  return { ...together(suites), suites };
};
