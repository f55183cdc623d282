import { Forbidden, Invalid, NotPossible, TooManyRequests } from '../../../../../domain/shared/domain-error.js';
import { HttpError } from '../../http-error.js';

/**
 * Takes a payload that a person sent.
 * @param payloadField what is wrong with the payload is said beside this field.
 * @throws Invalid; NotPossible for what is no fault of the payload.
 */
export const takenOrSaid = async <Taken>(payloadField: string, take: () => Promise<Taken>): Promise<Taken> => {
  try {
    return await take();
  } catch (error) {
    if (error instanceof HttpError) throw new Invalid({ [payloadField]: [error.message] });
    if (error instanceof Forbidden || error instanceof TooManyRequests) throw new NotPossible(error.message);
    throw error;
  }
};
