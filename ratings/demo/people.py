"""The people of the demo. All are invented; scripts, lengths of names and hidden names are as in real clubs."""

from __future__ import annotations

from typing import NamedTuple


class DemoPerson(NamedTuple):
    native: str
    country: str
    latin: str = ""  # if the native name is in another script: first name, then the rest
    nickname: str = ""
    visibility: str = "full"
    ema_number: str = ""
    alias: str = ""

    @property
    def latin_names(self) -> tuple[str, str]:
        """First and last name in Latin letters."""
        first, _space, last = (self.latin or self.native).partition(" ")
        return first, last


MINSK = (
    DemoPerson("Дмитрий Соколов", "BY", "Dmitry Sokolov", nickname="Сокол", alias="Дима Соколов"),
    DemoPerson("Ольга Мельникова", "BY", "Olga Melnikova"),
    DemoPerson("Александра Константинопольская", "BY", "Alexandra Konstantinopolskaya"),
    DemoPerson("Юрий Лапин", "BY", "Yuri Lapin"),
    DemoPerson("Марина Яковлева", "BY", "Marina Yakovleva", alias="Марина Громыко"),
    DemoPerson("Андрей Ковальчук", "UA", "Andrii Kovalchuk"),
    DemoPerson("Павел Зубрицкий", "BY", "Pavel Zubritsky", nickname="зубр", visibility="nickname"),
    DemoPerson("Вераніка Ўласава", "BY", "Veranika Ulasava"),
    DemoPerson("Тимофей Рудак", "BY", "Timofey Rudak"),
    DemoPerson("Ксения Боровик", "BY", "Kseniya Borovik", nickname="Бо"),
    DemoPerson("Глеб Станкевич", "BY", "Gleb Stankevich"),
    DemoPerson("Наталья Шумилина", "BY", "Natalia Shumilina", visibility="hidden"),
    DemoPerson("Роман Цибулько", "BY", "Roman Tsibulko"),
    DemoPerson("Антонина Хвощинская", "BY", "Antonina Khvoshchinskaya"),
    DemoPerson("佐藤 健", "JP", "Ken Satō", alias="Sato Ken"),
    DemoPerson("中村 美咲", "JP", "Misaki Nakamura"),
    DemoPerson("Thomas Bergmann", "DE"),
    DemoPerson("Clara Reuter", "DE"),
    DemoPerson("Katarzyna Wiśniewska", "PL", ema_number="14030021"),
    DemoPerson("Hannah Okafor", "GB"),
    DemoPerson("Арсений Пташук", "BY", "Arseny Ptashuk"),
    DemoPerson("Злата Корсак", "BY", "Zlata Korsak"),
)

ARKHANGELSK = (
    DemoPerson("Николай Берёзкин", "RU", "Nikolai Beryozkin", alias="Николай Березкин"),
    DemoPerson("Игорь Тарасов", "RU", "Igor Tarasov"),
    DemoPerson("Елена Воронцова", "RU", "Elena Vorontsova"),
    DemoPerson("Вячеслав Поморцев", "RU", "Vyacheslav Pomortsev"),
    DemoPerson("Ася Двинская", "RU", "Asya Dvinskaya"),
    DemoPerson("Семён Лодейников", "RU", "Semyon Lodeynikov", nickname="Лодья"),
    DemoPerson("Любовь Архипова-Заозёрская", "RU", "Lyubov Arkhipova-Zaozyorskaya"),
    DemoPerson("Матвей Котлин", "RU", "Matvey Kotlin"),
    DemoPerson("Дарья Сполохова", "RU", "Darya Spolokhova"),
    DemoPerson("Евгений Щукин", "RU", "Evgeny Shchukin"),
    DemoPerson("Инна Мезенцева", "RU", "Inna Mezentseva", nickname="северная", visibility="nickname"),
    DemoPerson("Фёдор Вага", "RU", "Fyodor Vaga"),
    DemoPerson("Полина Онегина", "RU", "Polina Onegina"),
    DemoPerson("Степан Холмогоров", "RU", "Stepan Kholmogorov"),
    DemoPerson("Яна Пинежская", "RU", "Yana Pinezhskaya"),
    DemoPerson("Kristoffer Haugen", "NO"),
    DemoPerson("Руслан Ягодин", "RU", "Ruslan Yagodin"),
    DemoPerson("林 静香", "JP", "Shizuka Hayashi"),
)

LODZ = (
    DemoPerson("Łukasz Żurawski", "PL", ema_number="14030007", alias="Lukasz Zurawski"),
    DemoPerson("Krzysztof Wójcik", "PL", ema_number="14030012"),
    DemoPerson("Agnieszka Dąbrowska", "PL", ema_number="14030015"),
    DemoPerson("Małgorzata Szczęsna", "PL", ema_number="14030018"),
    DemoPerson("Paweł Gąsior", "PL", ema_number="14030023"),
    DemoPerson("Piotr Źrebiec", "PL", ema_number="14030029"),
    DemoPerson("Zofia Grzegorzewska-Brzęczyszczykiewicz", "PL"),
    DemoPerson("Stanisław Ćwikła", "PL"),
    DemoPerson("Jadwiga Łącka", "PL", ema_number="14030034"),
    DemoPerson("Wojciech Śliwa", "PL"),
    DemoPerson("Róża Jaśkiewicz", "PL", nickname="Różyczka"),
    DemoPerson("Bogdan Kiełb", "PL", visibility="hidden"),
    DemoPerson("Hanna Żak", "PL"),
    DemoPerson("Mikołaj Przybył", "PL"),
    DemoPerson("Jonas Lindqvist", "SE", ema_number="20010009"),
    DemoPerson("Sanne de Vries", "NL", ema_number="13010044"),
    DemoPerson("Mathilde Lefèvre", "FR", ema_number="07050031"),
    DemoPerson("Oskar Nielsen", "DK", ema_number="04010102"),
    DemoPerson("Ágnes Szőke", "HU"),
    DemoPerson("Tomáš Růžička", "CZ"),
    DemoPerson("Giulia Ferrante", "IT"),
    DemoPerson("Оксана Шевчишин", "UA", "Oksana Shevchyshyn"),
    DemoPerson("高橋 蓮", "JP", "Ren Takahashi"),
    DemoPerson("Ewa Nowosielska", "PL"),
    DemoPerson("Grzegorz Pięta", "PL"),
    DemoPerson("Ida Kowal", "PL"),
)
