import { wordSet } from './word-set.ts';

/**
 * English words that carry no content of their own when two statements are compared or a name is looked for: lower
 * case, contractions without their apostrophe's tail.
 */
export const stopWords = wordSet(`
  a an the this that these those such some any each every all both few more most much many other another own same
  i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
  herself it its itself they them their theirs themselves who whom whose which what when where why how
  am is are was were be been being do does did doing done have has had having will would shall should can could may
  might must ought let
  and or but nor so yet if then else than because as while until though although unless since
  of at by for with about against between into through during before after above below to from up down in out on off
  over under again further once here there now just only too very also even still ever really quite
  s t d ll m re ve
`);

/**
 * Words that say how a sentence is built, not what it is about: what is indexed leaves them out. A list of its own,
 * since stored words and the weights of ranking were made with it: contractions stand as `tokensOf` writes them, and
 * "now", "many" or "again" are words one may search for.
 */
export const unindexedWords = wordSet(`
  a about also am an and any are arent as at be been being both but by can cant could couldnt did didnt do does
  doesnt doing dont each few for from further had hadnt has hasnt have havent having he hed hell her here hers
  herself hes him himself his how i id if ill im in into is isnt it itd itll its itself ive just lets me might
  more most must my myself no nor not of off on once only or other our ours ourselves out over own same she shed
  shes should shouldnt so some such than that thats the their theirs them themselves then there theres these they
  theyd theyll theyre theyve this those through to too under until up us very was wasnt we wed well were weve what
  whats when where which while who whom whos why will with wont would wouldnt you youd youll your youre yours
  yourself youve
`);

/**
 * The words of German, Spanish and French that a query leaves out, without accents as `tokensOf` writes them: articles,
 * pronouns, prepositions, auxiliaries, modal verbs and question words. What is indexed keeps them, as "die" or "son" is
 * a word of another language too; else "puedo" in "¿Qué puedo cocinar?" would find every memory of what somebody can
 * do.
 */
export const queryStopWords: Readonly<Record<'de' | 'es' | 'fr', ReadonlySet<string>>> = {
  de: wordSet(`
    aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da dabei damit dann das dass
    davon dazu dein deine deinem deinen deiner dem den denn der des dich die dies diese diesem diesen dieser dieses dir
    doch dort du durch ein eine einem einen einer eines er es etwas euch euer eure fur gab geben gegen gibt habe haben hab
    hat hatte hatten hier ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes jetzt
    kann kannst konnen konnte konnten machen man mal mein meine meinem meinen meiner mich mir mit muss mussen musst nach
    nicht noch nun nur ob oder schon sehr sein seine seinem seinen seiner seit sich sie sind so soll sollen sollte sollten
    sollst uber um und uns unser unsere unserem unseren unter viel vom von vor wann war waren warum was weil welche
    welchem welchen welcher welches wem wen wenn wer werde werden weshalb wessen wie wieder wieso will wir wird wo wofur
    woher wohin womit wurde wurden zu zum zur
  `),
  es: wordSet(`
    a al algo alguien algun alguna algunas alguno algunos aquel aquella asi aun cada como con cual cuales cuando cuanta
    cuantas cuanto cuantos de debe deben debemos debes debo debia deberia deberiamos del desde donde dos e el ella ellas
    ellos en entre era eran es esa esas ese eso esos esta estaba estan estar estas este esto estos estoy fue ha habia hace
    hacer hago han has hasta hay haya he la las le les lo los mas me mi mis mucho muy ni no nos nosotros nuestra nuestras
    nuestro nuestros o os otra otro para pero podemos podria podriamos por porque pueda puede pueden puedes puedo que
    quien quienes se sea ser si sin sobre son soy su sus suya suyo tal tambien tanto te tenemos tener tengo ti tiene
    tienen tienes toda todas todo todos tu tus un una unas uno unos va vamos van voy y ya yo
  `),
  fr: wordSet(`
    a ai as au aussi autre aux avait avec avez avoir avons c ca ce cela ces cet cette chez ci comme comment d dans de des
    dois doit doivent donc du elle elles en encore est et etaient etait etes etre eu eux faire fait faut faudrait ici il
    ils j je l la le les leur leurs lui m ma mais me meme mes moi mon n ne ni nos notre nous on ont ou par pas peut
    peuvent peux plus pour pourquoi pourrait pouvons qu quand que quel quelle quelles quels qui quoi s sa sans se sera
    ses si son sont suis sur t ta te tes toi ton tous tout toute toutes tres tu un une va vais vont vos votre vous y
  `),
};

/** Words whose absence turns a sentence around: never to be treated as empty when two statements are compared. */
export const negationWords = wordSet('no not never none nobody nothing neither nowhere cannot without');

/**
 * Words that begin sentences with a capital and are not names: adverbs, interjections, question and command words,
 * indefinite pronouns, lower case. Beside the stop words; what is left may be a name.
 */
export const sentenceOpeners = wordSet(`
  yes no not never yeah yep nope ok okay sure right well oh ah wow hey hi hello bye goodbye thanks thank please sorry
  congrats congratulations cool great good nice awesome amazing perfect fine true exactly absolutely definitely indeed
  actually honestly frankly personally basically maybe perhaps probably apparently hopefully luckily unfortunately
  sadly anyway besides however therefore meanwhile otherwise instead overall generally usually normally often always
  sometimes lately recently currently finally eventually suddenly yesterday today tomorrow tonight later soon earlier
  first second third next last another one two three four five six seven eight nine ten half several various
  everyone everybody everything someone somebody something anyone anybody anything nobody nothing none people
  guess hope wish think looks sounds seems feel glad happy excited speaking fyi btw lol haha omg hmm
  got getting going looking trying thinking talking having being making taking working doing using
  need want love like enjoy hate prefer remember remind forget note see check make take give tell ask use try keep stop start add
  show find send write read call go come get put help explain describe create update set run open close choose
  morning afternoon evening night noon midnight day week month year time life work home school family friends music
  dinner lunch breakfast weather traffic training practice progress things stuff part lots plenty mom dad mum
  write draft compose rewrite rephrase translate proofread summarize summarise pretend imagine suppose allergic
  important quick just confirmed currently worth due based given despite regarding about per via ps re
  currently spoke met filed sent reached ran drafted resolved recommended settled compromise target hard
  despite within without across among around along behind beyond toward towards upon like unlike
  called named final strong unpopular team group consensus scheduled planned ordered submitted paid renewed cancelled hot
  super stay feels aww aw woohoo yay yikes ugh hooray whoa oops lemme gonna gimme dunno kinda y'all yall thankfully hopefully
  dear regards cheers sincerely best kind subject agenda attendees summary action notes decision decided promised agreed
`);
