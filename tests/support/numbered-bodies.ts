const NUMBERS_OF_ONE_RUN = 10_000_000;
let runs = 0;

/** Where the numbers of a run begin, which no other run of this process has. */
export const nextNumbers = (): number => (runs += 1) * NUMBERS_OF_ONE_RUN;

/** Bodies in each of which `{n}` is another number, also than in those of any other run. */
export const numberedBodies = (body = ''): (() => string) => {
  let number = nextNumbers();
  return () => body.replaceAll('{n}', String((number += 1)));
};
