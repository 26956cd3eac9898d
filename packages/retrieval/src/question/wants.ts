import type { Question } from './question.ts';

/** Asks for a procedure in so many words: 'what do I do with …', 'the steps', 'the command to …'. */
const PROCEDURE =
  /\bwhat (?:(?:do|does|did|should|must|can|shall|would) (?:i|we|you|one) (?:do|type|enter|press|run)|now\b|to do\b)|\b(?:has|have|had|need|needs|supposed|is|are) to (?:be )?do(?:ne)?\b|\b(?:(?<!\b(?:at|in|on|near|from) \p{L}{1,20} )steps?|procedure|instructions|commands? (?:to|for|that)|command line|recipe|walk me through|from the (?:terminal|shell|command line))\b|\bhow[?.! ]*$|\bwas (?:mach(?:e|en|t)|tun|tut|muss|müssen|soll(?:en)?|kann|können) (?:ich|wir|man)\b|\bwas tun\b|\b(?:anleitung|schritte?|rezept|befehl)\b|\bque (?:faire|dois-je faire|faut-il faire)\b|\b(?:étapes?|marche à suivre|recette|mode d.emploi)\b|\bqué (?:hago|hay que hacer|debo hacer|tengo que hacer)\b|\b(?:pasos|receta|instrucciones)\b|\bo que (?:faço|fazer|devo fazer|tenho de fazer)\b|\b(?:passos|receita)\b|\b(?:cosa|che) (?:devo|bisogna|si deve) fare\b|\b(?:passaggi|ricetta|istruzioni)\b/iu;

/** Tells to do something, after the name of what it is done with: 'restic: delete …', 'please add …'. */
const ORDER =
  /^(?:[\p{L}\p{N}._-]+ ?[:–-] )?(?:please )?(?:add|adjust|assemble|bake|back up|change|charge|clean|clear|combine|configure|connect|convert|cook|copy|create|cut|delete|disable|empty|enable|encrypt|erase|exclude|export|fix|format|import|insert|install|join|let|lock|make|merge|mount|move|mute|pair|print|put|remove|rename|repair|replace|reset|restart|restore|run|save|set|share|split|start|stop|switch|sync|tighten|turn|undo|uninstall|unlock|update|upgrade)\b/iu;

/** An English 'how' that asks for a measure: 'how tight must …'; an adjective follows it. */
const MEASURE =
  /\bhow (?!(?:do|does|did|can|could|should|would|shall|must|may|to|i|we|you|one|is|are|was|were|best|exactly|else|the|my|our)\b)\p{L}+ /iu;

/** 'How' that asks for no procedure: how two things differ, how somebody is, how something went. */
const NO_PROCEDURE =
  /\bhow (?:(?:is|are|was|were|do|does|did) [^?]{1,80}\b(?:differ|different|compare|feel|go(?=\W*$)|doing)|(?:[^?]{1,80} )?went|come\b|about\b)|\bwie (?:geht|ging|war|heißt|unterscheide)|\bcomment (?:va|vont|s.appelle)|\bcómo (?:está|se llama)/iu;

/** Says that the gist of something is wanted. */
const SUMMARY =
  /\b(?:summar(?:y|ies|i[sz](?:e|es|ed|ing))|sum(?:s|med)? (?:it |this |that |them )?up|gist|(?:main|key) (?:points?|lessons?|ideas?|statements?|messages?|findings?)|in (?:short|brief|a nutshell|a few (?:words|lines|sentences))|briefly|overview|tl;?dr|what (?:is|was|are|were) [^?]{1,120} about(?=\W*$)|what (?:does|do|did) [^?]{1,120} say(?=\W*$))(?!\p{L})|zusammen(?:fass|gefasst)|\bfass(?:e|t|en)?\b[^?]{0,160}\bzusammen\b|\b(?:überblick|kurzfassung|in kürze|worum geht|wesentliche[nrs]?|kernaussagen?)(?!\p{L})|\b(?:résum\p{L}*|en bref|en quelques mots|de quoi parle)|\b(?:resum\p{L}*|en pocas palabras|de qué trata|puntos principales)|\b(?:em poucas palavras|do que trata|pontos principais)|\b(?:riassu\p{L}*|in breve|di che (?:cosa )?parla)|要約|要点|概要|まとめ|摘要|总结|요약/iu;

/** Words that only say what kind of answer is wanted. */
const ASKING =
  /^(?:steps?|procedure|instructions?|commands?|recipe|way|terminal|itself|summar\p{L}*|sum|gist|points?|lessons?|lines?|short|brief(?:ly)?|main|overview|words?|decided|tell|anleitung|schritte?|rezept|befehl|fass\p{L}*|zusammen\p{L}*|überblick|bitte|étapes?|recette|résum\p{L}*|pasos|receta|resum\p{L}*|passos|receita|passaggi|ricetta|riassu\p{L}*)$/iu;

/** How plainly a question asks for a procedure: 1 in so many words, 0.5 as it may, 0 as it does not. */
export function asksForProcedure({ text, type }: Question): number {
  if (asksForSummary(text)) return 0;
  if (PROCEDURE.test(text) || ORDER.test(text)) return 1;
  if (type === 'manner') return NO_PROCEDURE.test(text) || MEASURE.test(text) ? 0 : 1;
  // 'tighten belt', 'delete a rule without …': what names no other kind of answer.
  const asksOther = /[?？]\s*$|^\W*(?:what|which|whose)\b|\b(?:welche[rsnm]?|quel(?:le)?s?)\b/iu;
  return type === 'thing' && !asksOther.test(text) ? 0.5 : 0;
}

/** Whether a question asks for what all of a document says. */
export const asksForSummary = (text: string): boolean => SUMMARY.test(text);

/** Whether a word of a question says nothing of its subject. */
export const isAskingWord = (surface: string): boolean => ASKING.test(surface);
