import type { UserId } from '../shared/identifiers.js';

/** Who reads a subject among those who see its project: everybody from a level up, and some people whatever their level. */
export interface Readers {
  readonly level: number;
  readonly people: readonly UserId[];
}

export interface Reader {
  readonly id: UserId;
  readonly admin: boolean;
  /** The highest level that they have in the project, direct or inherited. */
  readonly level: number;
}

export const isAmongReaders = ({ level, people }: Readers, reader: Reader): boolean =>
  reader.admin || reader.level >= level || people.includes(reader.id);
