import { UniqueViolation } from './constraint-violations.js';

/** Turns the refusal of one unique index into the error that its repository promises. */
export const onUniqueViolation = async <Result>(
  query: PromiseLike<Result>,
  errors: Readonly<Record<string, () => Error>>,
): Promise<Result> => {
  try {
    return await query;
  } catch (error) {
    const refusal = error instanceof UniqueViolation ? errors[error.constraint] : undefined;
    throw refusal === undefined ? error : refusal();
  }
};
