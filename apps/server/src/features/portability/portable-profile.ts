import { type ImportResult, PHOTO_LIMIT, type Profile, updateProfile } from '@engram/contract';
import { HttpError } from '../../platform/http/errors.ts';
import type { ProfileService } from '../profile/profile.service.ts';
import type { QuestionnaireService } from '../questionnaire/questionnaire.service.ts';
import type { ExportedProfile } from './export-format.ts';

const isMissing = (error: unknown): boolean => error instanceof HttpError && error.status === 404;

const schemas = updateProfile.body.shape;
const FIELDS = ['name', 'altEmail', 'phone'] as const;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/u;

const PHOTO_CHARACTERS = Math.ceil(PHOTO_LIMIT / 3) * 4;

/** Exports and imports a user's profile and answers to the questionnaire. */
export function createPortableProfile(
  profile: ProfileService,
  questionnaire: QuestionnaireService,
) {
  const fillFields = async (current: Profile, imported: ExportedProfile): Promise<boolean> => {
    const missing = FIELDS.flatMap((field) => {
      const value = current[field] ? undefined : schemas[field].safeParse(imported[field]).data;
      return value ? [[field, value]] : [];
    });
    if (missing.length === 0) return false;
    const caller = { userId: current.id, email: current.email };
    await profile.update(caller, Object.fromEntries(missing));
    return true;
  };

  const fillPhoto = async (current: Profile, { photo }: ExportedProfile): Promise<boolean> => {
    if (current.profileImage !== null || !photo) return false;
    if (photo.length > PHOTO_CHARACTERS || !BASE64.test(photo)) return false;
    await profile.setPhoto(current.id, () => Promise.resolve(Buffer.from(photo, 'base64')));
    return true;
  };

  /** Answers unanswered questions, if the exported option still exists. */
  const fillAnswers = async (userId: string, imported: ExportedProfile): Promise<boolean> => {
    const unanswered = (await questionnaire.answered(userId)).filter(
      ({ selectedOptionId }) => selectedOptionId === null,
    );
    const responses = unanswered.flatMap(({ questionId, options }) => {
      const exported = imported.questionnaire.find((answer) => answer.questionId === questionId);
      const chosen = options.find(({ optionId }) => optionId === exported?.optionId);
      return chosen ? [{ questionId, selectedOption: chosen.optionId }] : [];
    });
    if (responses.length > 0) await questionnaire.answer(userId, responses);
    return responses.length > 0;
  };

  return {
    /** Undefined if the account does not exist. */
    async read(userId: string): Promise<ExportedProfile | undefined> {
      const current = await profile.get(userId).catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      });
      if (!current) return undefined;
      const answered = await questionnaire.answered(userId);
      return {
        email: current.email,
        name: current.name,
        altEmail: current.altEmail,
        phone: current.phone,
        country: current.country,
        photo: current.profileImage,
        createdDate: current.createdDate,
        questionnaire: answered.flatMap(({ questionId, question, options, selectedOptionId }) => {
          const chosen = options.find(({ optionId }) => optionId === selectedOptionId);
          return chosen
            ? [{ questionId, question, optionId: chosen.optionId, answer: chosen.optionText }]
            : [];
        }),
      };
    },

    /** Fills empty fields. Returns whether anything was filled, and the rejected fields. */
    async fill(userId: string, imported: ExportedProfile) {
      const rejected: ImportResult['rejected'] = [];
      const current = await profile.get(userId);
      const fields = await fillFields(current, imported);
      const photo = await fillPhoto(current, imported).catch((error: unknown) => {
        if (!(error instanceof HttpError) || isMissing(error)) throw error;
        rejected.push({ name: 'Photo', message: error.message });
        return false;
      });
      const answers = await fillAnswers(userId, imported);
      return { filled: fields || photo || answers, rejected };
    },
  };
}

export type PortableProfile = ReturnType<typeof createPortableProfile>;
