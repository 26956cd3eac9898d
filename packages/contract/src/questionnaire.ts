import { z } from 'zod';
import { defineRoute } from './route.ts';

export const question = z.object({
  questionId: z.string(),
  question: z.string(),
  options: z.array(z.object({ optionId: z.string(), optionText: z.string() })),
});
export type Question = z.output<typeof question>;

const answeredQuestion = question.extend({
  /** The chosen option, or null. */
  selectedOptionId: z.string().nullable(),
});
export type AnsweredQuestion = z.output<typeof answeredQuestion>;

export const listQuestions = defineRoute('GET /questionnaire', {
  summary: 'The first questionnaire',
  data: z.array(question),
});

export const listAnsweredQuestions = defineRoute('GET /questionnaire/all', {
  summary: "The first questionnaire with the caller's answers",
  data: z.array(answeredQuestion),
});

const QUESTION_ID_LIMIT = 100;
const RESPONSE_LIMIT = 100;

const questionnaireId = z.string().min(1).max(QUESTION_ID_LIMIT);

export const answerQuestions = defineRoute('PUT /questionnaire', {
  summary: 'Answer questions. Omitted ones keep their answers.',
  body: z.object({
    responses: z
      .array(z.object({ questionId: questionnaireId, selectedOption: questionnaireId }))
      .min(1, { error: 'There is no answer among the responses.' })
      .max(RESPONSE_LIMIT),
  }),
  data: z.array(answeredQuestion),
  message: 'Your answers are saved.',
});
