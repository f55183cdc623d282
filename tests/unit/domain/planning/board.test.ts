import { describe, expect, it } from '@jest/globals';
import { hasColumn, labelsAfterMove, standsIn, type Column } from '../../../../src/domain/planning/board.js';

const listOf = (id: number, name: string) => ({
  id,
  label: { id: id * 10, name, color: '#112233', description: '', priority: null },
});
const board = { lists: [listOf(1, 'todo'), listOf(2, 'doing')] };

describe('the columns of a board', () => {
  it.each<[Column, boolean]>([
    ['open', true],
    ['closed', true],
    [1, true],
    [3, false],
  ])('has %s: %s', (column, has) => {
    expect(hasColumn(board, column)).toBe(has);
  });

  it.each<[string, 'opened' | 'closed', readonly string[], readonly Column[]]>([
    ['without any of its labels among the open ones', 'opened', ['bug'], ['open']],
    ['in each list whose label it has', 'opened', ['doing', 'todo'], [1, 2]],
    ['closed among the closed ones alone', 'closed', ['todo'], ['closed']],
  ])('hold an issue %s', (_where, state, labels, columns) => {
    const all: readonly Column[] = ['open', 1, 2, 3, 'closed'];
    expect(all.filter((column) => standsIn(board, column, { state, labels }))).toEqual(columns);
  });

  it.each<[Column, Column, readonly string[], readonly string[]]>([
    [1, 2, ['todo', 'bug'], ['bug', 'doing']],
    [1, 2, ['todo', 'doing'], ['doing']],
    ['open', 1, ['bug'], ['bug', 'todo']],
    [1, 'open', ['todo', 'doing', 'bug'], ['bug']],
    [1, 'closed', ['todo', 'bug'], ['todo', 'bug']],
    ['closed', 2, ['todo'], ['todo', 'doing']],
    ['closed', 'open', ['todo', 'bug'], ['bug']],
    [1, 1, ['todo', 'bug'], ['todo', 'bug']],
  ])('leave an issue that goes from %s to %s with %j as %j', (from, to, before, after) => {
    expect(labelsAfterMove(board, { from, to }, before)).toEqual(after);
  });
});
