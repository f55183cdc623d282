import type { CiJob, CiMatrix } from './ci-config.js';

/** One of the jobs that are made of one of the file. */
export interface Copy {
  readonly name: string;
  readonly variables: ReadonlyMap<string, string>;
}

/** As many as `parallel` says, each with its number; one without it. */
export const copiesOf = ({ name, parallel }: CiJob): readonly Copy[] => {
  if (parallel === null) return [{ name, variables: new Map() }];
  if (typeof parallel === 'number')
    return Array.from({ length: parallel }, (_, at) => ({
      name: `${name} ${at + 1}/${parallel}`,
      variables: numbered(at, parallel),
    }));
  // What is said twice is said once.
  const choices = [...new Map(parallel.flatMap(choicesOf).map((choice) => [called(name, choice), choice]))];
  return choices.map(([whole, choice], at) => ({
    name: whole.slice(0, LONGEST_NAME),
    variables: new Map([...choice, ...numbered(at, choices.length)]),
  }));
};

const LONGEST_NAME = 255;

const called = (name: string, choice: ReadonlyMap<string, string>): string =>
  `${name}: [${[...choice.values()].join(', ')}]`;

/** What the jobs are called that a matrix makes of one. */
export const namesOfCopies = (name: string, matrix: CiMatrix): readonly string[] =>
  matrix.flatMap(choicesOf).map((choice) => called(name, choice).slice(0, LONGEST_NAME));

const numbered = (at: number, of: number): ReadonlyMap<string, string> =>
  new Map([
    ['CI_NODE_INDEX', String(at + 1)],
    ['CI_NODE_TOTAL', String(of)],
  ]);

/** Each way to choose one value of each variable; the last variable changes first. */
const choicesOf = (line: ReadonlyMap<string, readonly string[]>): readonly ReadonlyMap<string, string>[] =>
  [...line].reduce<readonly ReadonlyMap<string, string>[]>(
    (choices, [key, values]) => choices.flatMap((choice) => values.map((value) => new Map([...choice, [key, value]]))),
    [new Map()],
  );
