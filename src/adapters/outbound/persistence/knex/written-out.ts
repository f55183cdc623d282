import type { Knex } from 'knex';

const WORD = /^[a-z_]+$/;

/**
 * Narrows to a word that is written into the statement. An index of part of a table (`where state = 'opened'`) is found by what is
 * written alone: values are hidden from the planner.
 * @throws Error of anything but small letters and `_`.
 */
export const whereWord = <List extends Knex.QueryBuilder>(list: List, column: string, word: string): List => {
  if (!WORD.test(word)) throw new Error(`Not a word to be written into a statement: ${word}`);
  void list.whereRaw(`?? = '${word}'`, [column]);
  return list;
};
