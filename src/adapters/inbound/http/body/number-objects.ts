const OBJECT_OF_LIST = '[][';

/** The object of a list that fields go into now, and what it has already. */
interface Current {
  place: number;
  keys: Set<string>;
}

/**
 * Gives the objects of lists their places, for names in the order that they were sent: `a[][b]`, `a[][c]`, `a[][b]` become `a[0][b]`,
 * `a[0][c]`, `a[1][b]`. As Rack reads forms, which clients in Ruby write for: a key that the current object has begins the next one.
 *
 * @param depth lists within lists at most; what is deeper stays as it is.
 */
export const numberObjects = (depth: number): ((name: string) => string) => {
  const lists = new Map<string, Current>();

  const placeOf = (list: string, key: string): number => {
    const current = lists.get(list) ?? { place: 0, keys: new Set() };
    lists.set(list, current);
    // A list in it takes any number.
    if (current.keys.has(key) && !key.includes('[]')) {
      current.place += 1;
      current.keys.clear();
    }
    current.keys.add(key);
    return current.place;
  };

  return (name) => {
    let numbered = name;
    for (let level = 0; level < depth; level += 1) {
      const at = numbered.indexOf(OBJECT_OF_LIST);
      if (at < 0) break;
      const [list, key] = [numbered.slice(0, at), numbered.slice(at + '[]'.length)];
      numbered = `${list}[${placeOf(list, key)}]${key}`;
    }
    return numbered;
  };
};
