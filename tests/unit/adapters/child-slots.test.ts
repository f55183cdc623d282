import { describe, expect, it } from '@jest/globals';
import { ChildSlots } from '../../../src/adapters/outbound/git/child-slots.js';
import { onOccasion } from '../../../src/adapters/occasions/current-occasion.js';
import { ANONYMOUS, type Actor } from '../../../src/application/shared/actor.js';
import type { UserId } from '../../../src/domain/shared/identifiers.js';
import { Overloaded } from '../../../src/domain/shared/domain-error.js';

const BOUNDS = { most: 4, ofStore: 3, ofCaller: 2, waitMs: 5 };

const person = (id: number): Actor => ({
  kind: 'user',
  id: id as UserId,
  username: `user-${id}`,
  admin: false,
  credential: { kind: 'session' },
});

const as =
  (by: Actor, clientAddress = '192.0.2.1') =>
  <Result>(work: () => Result): Result =>
    onOccasion({ by, clientAddress }, work);

const isRefused = (work: Promise<unknown>) => expect(work).rejects.toBeInstanceOf(Overloaded);

describe('slots of children', () => {
  it('are for one person so many, from wherever and on whatever store; others get theirs', async () => {
    const slots = new ChildSlots(BOUNDS);
    await as(person(1))(() => slots.take('a'));
    const give = await as(person(1), '192.0.2.2')(() => slots.take('b'));
    await isRefused(as(person(1))(() => slots.take('c')));
    await as(person(2))(() => slots.take('c'));
    give();
    await as(person(1))(() => slots.take('c'));
  });

  it('are for one address so many where nobody is known', async () => {
    const slots = new ChildSlots(BOUNDS);
    await as(ANONYMOUS)(() => slots.take('a'));
    await as(ANONYMOUS)(() => slots.take('b'));
    await isRefused(as(ANONYMOUS)(() => slots.take('c')));
    await as(ANONYMOUS, '192.0.2.2')(() => slots.take('c'));
  });

  it('are for one store so many, and for the service itself as many as there are', async () => {
    const slots = new ChildSlots(BOUNDS);
    for (let taken = 0; taken < 3; taken += 1) await slots.take('a');
    await isRefused(slots.take('a'));
    await slots.take('b');
    await isRefused(slots.take('c'));
  });

  it('are given back by a caller whose store has none left', async () => {
    const slots = new ChildSlots(BOUNDS);
    for (let taken = 0; taken < 3; taken += 1) await slots.take('a');
    await isRefused(as(person(1))(() => slots.take('a')));
    await isRefused(as(person(1))(() => slots.take('a')));
    await as(person(1))(() => slots.take('b'));
  });

  it('go to the next in line who may have one, not to who waits for another', async () => {
    const slots = new ChildSlots({ ...BOUNDS, waitMs: 60_000 });
    const gives = [await slots.take('a'), await slots.take('a'), await slots.take('a'), await slots.take('b')];
    const order: string[] = [];
    const waiting = ['a', 'c'].map(async (store) => {
      const give = await slots.take(store);
      order.push(store);
      give();
    });
    gives[3]?.();
    await waiting[1];
    gives[0]?.();
    await Promise.all(waiting);
    expect(order).toEqual(['c', 'a']);
  });
});
