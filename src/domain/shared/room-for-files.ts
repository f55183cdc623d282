import { DomainError } from './domain-error.js';

/** How much files of a project are. */
export interface FileSizes {
  readonly files: number;
  readonly bytes: number;
}

/** How much they may be, and what is said where that is not enough. */
export interface RoomForFiles {
  readonly mostFiles: number;
  /** Of all files together; null for as many as there are. */
  readonly mostBytes: number | null;
  /** Each goes on from "There is no room: ". */
  readonly tooMany: string;
  readonly tooLarge: string;
}

/** The files of a project are as many, or as large together, as they may be. */
class NoRoom extends DomainError {
  readonly kind = 'too_large';
}

export const noRoom = (why: string): DomainError => new NoRoom(`There is no room: ${why}`);

/** How many bytes another file may have. @throws NoRoom where none may come. */
export const roomLeft = ({ files, bytes }: FileSizes, room: RoomForFiles): number => {
  if (files >= room.mostFiles) throw noRoom(room.tooMany);
  if (room.mostBytes === null) return Infinity;
  if (bytes >= room.mostBytes) throw noRoom(room.tooLarge);
  return room.mostBytes - bytes;
};

/** @throws NoRoom where a file is more than what is left. */
export const requireRoomLeft = (size: number, sizes: FileSizes, room: RoomForFiles): void => {
  if (size > roomLeft(sizes, room)) throw noRoom(room.tooLarge);
};
