/**
 * Writes instants as text, and remembers the two latest: the rows of one group are mostly of one millisecond, and those of its log end
 * at another one.
 */
export const createInstantWriter = (): ((at: Date) => string) => {
  let [latest, other] = [
    { time: NaN, text: '' },
    { time: NaN, text: '' },
  ];
  return (at) => {
    const time = at.getTime();
    if (time === other.time) [latest, other] = [other, latest];
    else if (time !== latest.time) [latest, other] = [{ time, text: at.toISOString() }, latest];
    return latest.text;
  };
};
