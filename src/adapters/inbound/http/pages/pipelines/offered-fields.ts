import type { OfferedVariable } from '../../../../../domain/pipelines/ci-file/offered-variables.js';
import { MAX_GIVEN_VALUE } from '../../../../../domain/pipelines/given-variable.js';
import type { CiValue } from '../../../../../domain/pipelines/predefined-variables.js';
import { Invalid } from '../../../../../domain/shared/domain-error.js';
import { fields } from '../form-fields.js';
import type { PageContext } from '../page-context.js';

const LINES = 3;

const nameOf = (key: string): string => `variable-${key}`;

const typedIn = ({ request }: PageContext, key: string): string | undefined =>
  fields(request, nameOf(key))[0]?.replaceAll('\r\n', '\n');

/** Fields for the variables that a CI file offers, with what was typed. */
export const offeredFields = (context: PageContext, offered: readonly OfferedVariable[]) =>
  offered.map(({ key, value, description, options }) => ({
    ...{ id: nameOf(key), label: key, help: description, maxlength: MAX_GIVEN_VALUE },
    value: typedIn(context, key) ?? value,
    options: options?.map((option) => [option, option]),
    // A field of one line would change it.
    rows: options === null && value.includes('\n') ? LINES : undefined,
  }));

/** Those that were chosen otherwise than the file says. @throws Invalid at their fields. */
export const chosenIn = (context: PageContext, offered: readonly OfferedVariable[]): readonly CiValue[] =>
  offered.flatMap(({ key, value }) => {
    const chosen = typedIn(context, key);
    if (chosen === undefined || chosen === value) return [];
    if (chosen.length > MAX_GIVEN_VALUE)
      throw new Invalid({ [nameOf(key)]: [`has at most ${MAX_GIVEN_VALUE} characters`] });
    return [{ key, value: chosen }];
  });
