import { keepingPace } from '../../../streams/keeping-pace.js';
import { Slots } from '../../../turns/slots.js';
import { HttpError } from '../http-error.js';

/** Files that are written at once, in all and for one person: each holds a connection and a part of the disk’s time. */
const WRITTEN_AT_ONCE = 64;
const OF_PERSON = 8;
/** Who sends less than this for so long is cut off. */
const STALL_SECONDS = 45;
const LEAST_BYTES = 524_288;
const tooSlow = (): HttpError => new HttpError(408, 'The file came too slowly.');

/** Of one kind of files. */
export const slotsForFiles = (): Slots => new Slots(WRITTEN_AT_ONCE, OF_PERSON);

/** A large file as it arrives, however long that takes. @throws HttpError 408 where it stands still. */
export const arriving = (bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> =>
  keepingPace(bytes, STALL_SECONDS, tooSlow, LEAST_BYTES);
