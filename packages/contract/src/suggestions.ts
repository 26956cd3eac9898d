import { z } from 'zod';
import { SUGGESTION_LIMIT } from './limits.ts';
import { defineRoute } from './route.ts';

export const suggestions = defineRoute('GET /suggestions', {
  summary: 'Completions of a question: earlier questions, keywords, files and their phrases',
  sdk: { suggestions: {} },
  apiKey: true,
  data: z.array(z.string()).max(SUGGESTION_LIMIT),
  message: 'Suggestions fetched successfully',
  example: {},
});

export const recommendedQuestions = defineRoute('GET /questions/recommendations', {
  summary: "Questions that the user's files answer",
  sdk: { recommendations: {} },
  apiKey: true,
  data: z.array(z.string()),
  message: 'Recommendations fetched successfully',
  example: {},
});
