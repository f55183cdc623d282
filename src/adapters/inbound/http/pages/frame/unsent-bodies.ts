import type { Request } from 'express';
import { Slots } from '../../../../turns/slots.js';
import {
  isMultipart,
  PAGE_FORMATS,
  readBody,
  readFieldsBeforeFiles,
  SMALL_BODY,
  type BodyBounds,
} from '../../body/read-body.js';
import { declaresMoreThan } from '../../body/body-too-large.js';
import { isFromOurPage } from './unsent-texts.js';

/** Of all people who are not signed in. */
const AT_ONCE = 2;

/** Reads forms of people who are not signed in, or not any more: what they wrote is shown to them. */
export class UnsentBodies {
  readonly #slots = new Slots(AT_ONCE, AT_ONCE);

  /** @param large the bounds of a form that a page of ours has sent; of any other little is read. @throws as `readBody` does; Overloaded. */
  async read(request: Request, large: BodyBounds): Promise<unknown> {
    const read = isMultipart(request)
      ? (bounds: BodyBounds) => readFieldsBeforeFiles(request, bounds)
      : (bounds: BodyBounds) => readBody(request, PAGE_FORMATS, bounds);
    if (!isFromOurPage(request)) return read(SMALL_BODY);
    const isSmall = request.headers['transfer-encoding'] === undefined && !declaresMoreThan(request, SMALL_BODY.bytes);
    return isSmall ? read(SMALL_BODY) : this.#slots.during('unsent', () => read(large));
  }
}
