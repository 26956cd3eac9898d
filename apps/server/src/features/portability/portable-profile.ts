import { type ImportResult, PHOTO_LIMIT, type Profile, updateProfile } from '@engram/contract';
import { HttpError } from '../../platform/http/errors.ts';
import type { ProfileService } from '../profile/profile.service.ts';
import type { QuestionnaireService } from '../questionnaire/questionnaire.service.ts';
import type { ExportedProfile } from './export-format.ts';

export interface PortableProfileDependencies {
  profile: Pick<ProfileService, 'get' | 'update' | 'setPhoto'>;
  questionnaire: Pick<QuestionnaireService, 'answered' | 'answer'>;
}

const isMissing = (error: unknown): boolean => error instanceof HttpError && error.status === 404;

const written = updateProfile.body.shape;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/u;

/** Characters of a photo in base64. */
const PHOTO_TEXT = Math.ceil(PHOTO_LIMIT / 3) * 4;

/** Who somebody is, with what they answered at the start, as it goes elsewhere. */
export function createPortableProfile({ profile, questionnaire }: PortableProfileDependencies) {
  /** What the export says of fields that are empty here. */
  const fillFields = async (current: Profile, given: ExportedProfile): Promise<boolean> => {
    const name = current.name ? undefined : written.name.safeParse(given.name).data;
    const altEmail = current.altEmail ? undefined : written.altEmail.safeParse(given.altEmail).data;
    const phone = current.phone ? undefined : written.phone.safeParse(given.phone).data;
    if (!name && !altEmail && !phone) return false;
    await profile.update(
      { userId: current.id, email: current.email },
      {
        ...(name ? { name } : {}),
        ...(altEmail ? { altEmail } : {}),
        ...(phone ? { phone } : {}),
      },
    );
    return true;
  };

  const fillPhoto = async (current: Profile, { photo }: ExportedProfile): Promise<boolean> => {
    if (current.profileImage !== null || !photo) return false;
    if (photo.length > PHOTO_TEXT || !BASE64.test(photo)) return false;
    await profile.setPhoto(current.id, () => Promise.resolve(Buffer.from(photo, 'base64')));
    return true;
  };

  /** Answers to questions that nothing is chosen of here; of questions that are not asked any more none. */
  const fillAnswers = async (userId: string, given: ExportedProfile): Promise<boolean> => {
    const open = (await questionnaire.answered(userId)).filter(
      ({ selectedOptionId }) => selectedOptionId === null,
    );
    const responses = open.flatMap(({ questionId, options }) => {
      const before = given.questionnaire.find((answer) => answer.questionId === questionId);
      const chosen = options.find(({ optionId }) => optionId === before?.optionId);
      return chosen ? [{ questionId, selectedOption: chosen.optionId }] : [];
    });
    if (responses.length > 0) await questionnaire.answer(userId, responses);
    return responses.length > 0;
  };

  return {
    /** Undefined for an account that does not exist. */
    async read(userId: string): Promise<ExportedProfile | undefined> {
      const found = await profile.get(userId).catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      });
      if (!found) return undefined;
      const answered = await questionnaire.answered(userId);
      return {
        email: found.email,
        name: found.name,
        altEmail: found.altEmail,
        phone: found.phone,
        country: found.country,
        photo: found.profileImage,
        createdDate: found.createdDate,
        questionnaire: answered.flatMap(({ questionId, question, options, selectedOptionId }) => {
          const chosen = options.find(({ optionId }) => optionId === selectedOptionId);
          return chosen
            ? [{ questionId, question, optionId: chosen.optionId, answer: chosen.optionText }]
            : [];
        }),
      };
    },

    /** Fills what is empty here; answers whether anything was, and what could not be. */
    async fill(userId: string, given: ExportedProfile) {
      const rejected: ImportResult['rejected'] = [];
      const current = await profile.get(userId);
      const fields = await fillFields(current, given);
      const photo = await fillPhoto(current, given).catch((error: unknown) => {
        if (!(error instanceof HttpError) || isMissing(error)) throw error;
        rejected.push({ name: 'Photo', message: error.message });
        return false;
      });
      const answers = await fillAnswers(userId, given);
      return { filled: fields || photo || answers, rejected };
    },
  };
}
