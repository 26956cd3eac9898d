import type { Span } from '../types.ts';

/** Sentences that instruct a model: 'Ignore all earlier instructions'. They are never quoted. */
const TO_A_MODEL: readonly RegExp[] = [
  // Markers of prompt templates.
  /<\|?(?:im_start|im_end|system|endoftext)|\[\/?INST\]|<<\/?SYS>>|##\s*(?:system|instruction|response)\b|\bbegin (?:system|admin)\b|\bend of (?:the )?(?:passages?|context)\b/iu,
  // English
  /(?<![-\w])(?:ignore|disregard|forget|override|bypass|discard)\b[^.!?\n]{0,60}\b(?:instructions?|prompts?|rules|guidelines|directions|context|passages|constraints|everything (?:above|before|else)|all (?:files|documents|of the above))\b/iu,
  /^\W*(?:(?:system|assistant|developer|ai)\s*(?:message|prompt|note|override)|(?:new |important )?instructions? (?:to|for) (?:the )?(?:ai|assistant|model))\s*[:>\]]|^\W*(?:system|developer|(?:new|important) instructions?)\s*[:>\]]\s*(?:\S+\s+){3,}\S+[.!]/iu,
  /\byou are (?:now|no longer|from now on)\b[^.!?\n]{0,40}\b(?:assistant|ai|model|bot|chatbot|dan|gpt|mode|jailbroken|unrestricted|bound)\b|\byou are (?:a|an)\b[^.!?\n]{0,30}\b(?:ai|chatbot|language model|gpt|unrestricted)\b|^\W*(?:(?:please|now)\s+)?(?:act as|pretend (?:to be|that you|you)|role-?play as)\b|\b(?:switch to \w+ mode|developer mode)\b/iu,
  /\b(?:ai|language models?|llms?|chatbots?|(?:the|this|any|every|all) (?:assistants?|models?))\b[^.!?\n]{0,30}\b(?:reading this|(?:must|should|shall|have to|please|need to|(?:are|is) required to)\s+(?:\w+\s+)?(?:answer|say|reply|respond|tell|recommend|ignore|output|state|claim|repeat|append))\b|\b(?:note|message|attention|hint)\s*(?:[,:]\s*)?(?:to|for)\s+(?:the |any |all |every )?(?:ai|llm|assistant|chatbot|language model)s?\b/iu,
  /\b(?:do not|don['’]t|never)\s+(?:mention|reveal|tell|cite|quote|follow|obey|disclose|answer)\b[^.!?\n]{0,40}\b(?:the (?:user|reader)|passages?|documents|rules|instructions?|sources?|prompt)\b/iu,
  /\bthe (?:correct|right|only|true|final) answer (?:to (?:any|every|all|each)|is always)\b/iu,
  // German
  /\b(?:ignoriere|vergiss|missachte)\b[^.!?\n]{0,60}(?:anweisung|regeln|vorgabe|kontext)|^\W*(?:bitte\s+)?(?:antworte|sage? (?:dem|der) (?:nutzer|benutzer)|schreibe? nur)\b|\bdu bist (?:jetzt|nun|ab sofort)\b[^.!?\n]{0,40}(?:ki|assistent|modell|bot)\b/iu,
  // French
  /\b(?:ignore[zs]?|oublie[zs]?)\b[^.!?\n]{0,60}(?:instructions?|consignes|règles)|^\W*(?:réponds|répondez|dis|dites) (?:que|avec|seulement|à)|\btu es (?:maintenant|désormais)\b[^.!?\n]{0,40}(?:ia|assistant|modèle)\b/iu,
  // Spanish
  /\b(?:ignora|olvida)\b[^.!?\n]{0,60}(?:instrucciones|reglas)|^\W*(?:responde|di|dile) (?:que|con|solo|al)\b/iu,
  // Italian
  /\bignora\b[^.!?\n]{0,60}(?:istruzioni|regole)|^\W*(?:rispondi|di) (?:che|con|solo|al)\b/iu,
  // Russian
  /(?:игнорируй|забудь|проигнорируй)[^.!?\n]{0,60}(?:инструкц|правил|указан)|^\W*(?:ответь|отвечай|скажи)(?:,|\s)/iu,
  // Japanese
  /(?:指示|命令|ルール)[^。！？\n]{0,12}無視|(?:と|って)(?:答え|回答し)(?:て|なさい|ろ)/u,
  // Chinese
  /(?:忽略|无视|忘记)[^。！？\n]{0,30}(?:指令|指示|规则|提示)/u,
];

/** Orders that also occur in letters to people. Only these sentences are left out, not those after them. */
const ORDERS: readonly RegExp[] = [
  /^\W*(?:(?:please|now|instead|then|and|first|also|always|you (?:must|should|will|shall|have to)|the (?:assistant|ai|model) (?:must|should|will|shall))[\s,]+)*(?:answer|respond|reply|say|output|print|tell (?:the )?(?:user|person|reader|them|him|her|people)|state|claim|repeat|translate|summari[sz]e|write|insert|append|include|begin|start|end|conclude|finish)\b[^.!?\n]{0,30}?(?:\b(?:that|only|exactly|the (?:following|words?|phrase|sentence)|your (?:answer|reply|response|output))\b|["“])/iu,
  /^\W*(?:answer|respond|reply|say|output|print)\s*:\s*<[a-z!]/iu,
  /\b(?:when|if|whenever|once)\s+(?:(?:you|anyone|anybody|somebody|someone|they|(?:the|a) user)(?:['’]re)?\s+)?(?:(?:is|are)\s+)?(?:asked|asks?|prompted|queried|questioned)\b[^.!?\n]{0,60}\b(?:answer|say|reply|respond|tell|claim|output)\b/iu,
];

const ABOUT_ORDERS =
  /(?<!\p{L})(?:ignor|disregard|overrid|bypass|instruct|prompt|inject|assistant|chatbot|jailbreak|anweisung|consignes|instruccion|инструкц|指示|指令)/iu;

const FOLLOWERS = 3;

/** Replaces instructions and their followers by spaces, unless the question is about them. */
export function withoutInstructions(
  text: string,
  sentences: readonly Span[],
  question: string,
): string {
  if (ABOUT_ORDERS.test(question)) return text;
  const masked: string[] = [];
  let copied = 0;
  let following = 0;
  let previousEnd = 0;
  for (const { start, end } of sentences) {
    const sentence = text.slice(start, end);
    if (/\n\s*\n/u.test(text.slice(previousEnd, start))) following = 0;
    previousEnd = end;
    following -= 1;
    if (TO_A_MODEL.some((pattern) => pattern.test(sentence))) following = FOLLOWERS;
    else if (following < 0 && !ORDERS.some((pattern) => pattern.test(sentence))) continue;
    masked.push(text.slice(copied, start), sentence.replace(/[^\n]/g, ' '));
    copied = end;
  }
  return masked.join('') + text.slice(copied);
}
