import { Type } from '@sinclair/typebox';

/** The answer to a removal that is carried out afterwards. */
export const ACCEPTED = { message: '202 Accepted' } as const;
export const AcceptedSchema = Type.Object({ message: Type.Literal('202 Accepted') });
