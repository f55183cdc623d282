import type { CiJob, CiMatrix } from './ci-config.js';

/** One of the jobs that are made of one of the file. */
export interface Copy {
  readonly name: string;
  readonly variables: ReadonlyMap<string, string>;
}

type Choice = ReadonlyMap<string, string>;

const LONGEST_NAME = 255;
const known = new WeakMap<CiJob, readonly Copy[]>();

/** As many as `parallel` says, each with its number; one without it. */
export const copiesOf = (job: CiJob): readonly Copy[] => {
  const copies = known.get(job) ?? makeCopies(job);
  known.set(job, copies);
  return copies;
};

const makeCopies = ({ name, parallel }: CiJob): readonly Copy[] => {
  if (parallel === null) return [{ name, variables: new Map() }];
  if (typeof parallel === 'number')
    return Array.from({ length: parallel }, (_, at) => ({
      name: `${name} ${at + 1}/${parallel}`,
      variables: numbered(at, parallel),
    }));
  // What is said twice is said once.
  const choices = [
    ...new Map(parallel.flatMap(choicesOf).map((choice) => [JSON.stringify([...choice.values()]), choice])),
  ];
  return choices.map(([, choice], at) => ({
    name: called(name, choice),
    variables: new Map([...choice, ...numbered(at, choices.length)]),
  }));
};

/** No longer than a name may be, however long what it is made of is. */
const called = (name: string, choice: Choice): string => {
  let whole = `${name}: [`;
  for (const [at, value] of [...choice.values()].entries()) {
    if (whole.length > LONGEST_NAME) break;
    whole += (at === 0 ? '' : ', ') + value.slice(0, LONGEST_NAME);
  }
  return `${whole}]`.slice(0, LONGEST_NAME);
};

/** What the jobs are called that a matrix makes of one. */
export const namesOfCopies = (name: string, matrix: CiMatrix): readonly string[] =>
  matrix.flatMap(choicesOf).map((choice) => called(name, choice));

const numbered = (at: number, of: number): Choice =>
  new Map([
    ['CI_NODE_INDEX', String(at + 1)],
    ['CI_NODE_TOTAL', String(of)],
  ]);

/** Each way to choose one value of each variable; the last variable changes first. */
const choicesOf = (line: ReadonlyMap<string, readonly string[]>): readonly Choice[] =>
  [...line].reduce<readonly Choice[]>(
    (choices, [key, values]) => choices.flatMap((choice) => values.map((value) => new Map([...choice, [key, value]]))),
    [new Map()],
  );
