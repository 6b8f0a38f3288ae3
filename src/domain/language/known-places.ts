// Cities, countries and parts of them that are no other word. Left out is what may be one: "reading", "nice", "turkey".
const known = new Set(
  `
london|leeds|york|manchester|birmingham|liverpool|bristol|sheffield|newcastle|nottingham|leicester|southampton|portsmouth|
brighton|plymouth|cambridge|oxford|norwich|exeter|coventry|bradford|derby|hull|cardiff|swansea|edinburgh|glasgow|aberdeen|
dundee|belfast|dublin|cork|galway|limerick|england|scotland|wales|ireland|northern ireland|britain|great britain|
new york|new york city|nyc|los angeles|chicago|houston|phoenix|philadelphia|san antonio|san diego|dallas|austin|san jose|
san francisco|seattle|denver|boston|detroit|portland|las vegas|memphis|nashville|baltimore|milwaukee|albuquerque|tucson|
sacramento|atlanta|miami|tampa|orlando|minneapolis|cleveland|cincinnati|pittsburgh|st louis|new orleans|honolulu|brooklyn|
queens|manhattan|california|texas|florida|oregon|washington|colorado|arizona|nevada|ohio|michigan|illinois|massachusetts|
north carolina|south carolina|new jersey|new mexico|new hampshire|pennsylvania|tennessee|kentucky|alabama|louisiana|
minnesota|wisconsin|missouri|utah|idaho|montana|hawaii|alaska|maryland|vermont|connecticut|oklahoma|kansas|nebraska|iowa|
toronto|montreal|vancouver|calgary|ottawa|edmonton|winnipeg|quebec|ontario|british columbia|canada|mexico|mexico city|
sydney|melbourne|brisbane|perth|adelaide|canberra|hobart|australia|auckland|wellington|christchurch|new zealand|
paris|lyon|marseille|toulouse|bordeaux|lille|strasbourg|france|berlin|hamburg|munich|cologne|frankfurt|stuttgart|leipzig|
dresden|düsseldorf|dusseldorf|germany|vienna|graz|salzburg|linz|innsbruck|austria|zurich|zürich|geneva|basel|bern|lausanne|
lucerne|switzerland|madrid|barcelona|valencia|seville|malaga|bilbao|spain|lisbon|porto|portugal|rome|milan|turin|naples|
florence|venice|bologna|italy|amsterdam|rotterdam|utrecht|the hague|eindhoven|netherlands|the netherlands|brussels|antwerp|
ghent|bruges|belgium|luxembourg|copenhagen|aarhus|denmark|stockholm|gothenburg|malmö|sweden|oslo|bergen|trondheim|norway|
helsinki|tampere|finland|reykjavik|iceland|warsaw|krakow|gdansk|poland|prague|brno|czechia|bratislava|slovakia|budapest|
hungary|bucharest|romania|sofia|bulgaria|athens|thessaloniki|greece|zagreb|split|croatia|belgrade|serbia|ljubljana|slovenia|
tallinn|estonia|riga|latvia|vilnius|lithuania|kyiv|lviv|ukraine|istanbul|ankara|izmir|moscow|russia|tel aviv|jerusalem|
haifa|israel|dubai|abu dhabi|doha|qatar|riyadh|cairo|alexandria|egypt|casablanca|morocco|tunis|tunisia|lagos|abuja|nigeria|
accra|ghana|nairobi|kenya|kampala|uganda|addis ababa|ethiopia|cape town|johannesburg|durban|pretoria|south africa|mumbai|
delhi|new delhi|bangalore|bengaluru|hyderabad|chennai|kolkata|pune|india|karachi|lahore|islamabad|pakistan|dhaka|bangladesh|
colombo|sri lanka|kathmandu|nepal|bangkok|chiang mai|thailand|hanoi|saigon|ho chi minh city|vietnam|kuala lumpur|malaysia|
singapore|jakarta|bali|indonesia|manila|philippines|the philippines|hong kong|taipei|taiwan|shanghai|beijing|shenzhen|
guangzhou|tokyo|osaka|kyoto|japan|seoul|busan|south korea|buenos aires|argentina|santiago|chile|lima|peru|bogota|medellin|
colombia|quito|ecuador|caracas|venezuela|montevideo|uruguay|rio de janeiro|são paulo|sao paulo|brazil|havana|cuba|jamaica|
costa rica|panama|guatemala|münchen|köln|wien|kiel|lübeck|bremen|hannover|nürnberg|dortmund|bonn|freiburg|genf|mailand|
venedig|lissabon|prag|warschau|moskau|athen|deutschland|österreich|schweiz|frankreich|spanien|italien|griechenland|schweden|
norwegen|dänemark|finnland|kroatien|ungarn|belgien|niederlande|türkei|polen`
    .replaceAll('\n', '')
    .split('|'),
);

/** Whether a name is that of a place that everybody knows. */
export const isKnownPlace = (name: string): boolean => known.has(name.toLowerCase());

const placed = /(?<=\b(?:in|to|from|near) )\p{Ll}+(?: (?!(?:in|to|from|near) )\p{Ll}+){0,3}/gu;

/** Writes places with a capital where a place is expected: those who type without capitals live somewhere, too. */
export function capitalisePlaces(text: string): string {
  return text.replace(placed, (found) => {
    const words = found.split(' ');
    for (let count = words.length; count > 0; count -= 1) {
      if (!known.has(words.slice(0, count).join(' '))) continue;
      return words.map((word, n) => (n < count ? word[0]!.toUpperCase() + word.slice(1) : word)).join(' ');
    }
    return found;
  });
}
