"""Messages kept aside: nobody looked at what came of each while the phrases were improved."""

from __future__ import annotations

from evals.talk.expected import Create, Delete, Edit, Instruct, Rename, Said, answer, asked, change

MESSAGES: tuple[Said, ...] = (
    # Questions
    answer("show me everything we've got"),
    answer("What does it cost to live there?", opened="Budget"),
    answer("whats for dinner"),
    answer("Which of the documents mention June?"),
    answer("how many sections are there in recipes?"),
    answer("Is Ada mentioned anywhere?"),
    answer("When was the budget last changed, and by whom?"),
    answer("Why did you rename it?"),
    answer("can I move the Norway section to the end?"),
    answer("Would it make sense to delete the notes?"),
    answer("Are the costs up to date?"),
    answer("could you explain what the budget is for"),
    answer("Where do I find the next steps?"),
    answer("what have you done so far?"),
    answer("who wrote the travel guide?"),
    answer("tl;dr of the meeting notes please"),
    answer("outline this for me", opened="Budget"),
    answer("sum up Recipes in a few words"),
    answer("has anybody changed Recipes since yesterday?"),
    answer("What should I add to the travel guide?"),
    # Small talk and remarks
    answer("good evening"),
    answer("cool, cheers"),
    answer("there's a typo somewhere in Recipes"),
    answer("it would be nice to have a table of costs"),
    answer("perhaps we could drop the Norway part"),
    answer("The travel guide could include restaurants"),
    answer("never change the budget without asking"),
    answer("I was wondering whether we need the meeting notes"),
    answer("ok"),
    # Not said well enough
    asked("put in a chapter on insurance"),
    asked("remove the section"),
    asked("please correct that"),
    asked("append “x” to the diary"),
    asked("delete Reciepes"),
    asked("make it better"),
    asked("rename it"),
    # Plain changes
    change("please insert a new section called Snacks into Recipes", Edit("Recipes", ("## Snacks",))),
    change(
        "can u add waffles to Breakfast in the recipes doc?",
        Edit("Recipes", ("eggs on toast", "waffles", "Dinner")),
    ),
    change(
        "Append the line 'Checked by Eva' to the end of the budget",
        Edit("Budget", ("Review in March.", "Checked by Eva")),
    ),
    change("I'd like you to delete the travel guide", Delete("Travel Guide")),
    change("throw away Meeting Notes", Delete("Meeting Notes")),
    change("give Recipes the name Cookbook", Rename("Recipes", "Cookbook")),
    change("Meeting Notes: rename to Minutes", Rename("Meeting Notes", "Minutes")),
    change(
        "swap Friday for Monday in the meeting notes", Edit("Meeting Notes", ("ship on Monday",), "Friday")
    ),
    change("update the rent in Budget from 1200 to 1250", Edit("Budget", ("rent 1250",), "1200")),
    change(
        "change every 'June' to 'May' in Travel Guide", Edit("Travel Guide", ("in May", "in May"), "June")
    ),
    change("correct 'Tomato' to 'Potato' in Recipes", Edit("Recipes", ("Potato soup",), "Tomato")),
    change(
        "put Norway before Iceland in the travel guide", Edit("Travel Guide", ("## Norway", "## Iceland"))
    ),
    change("Move the section Income to the end of Budget", Edit("Budget", ("## Notes", "## Income"))),
    change(
        "move Next steps above Decisions",
        Edit("Meeting Notes", ("## Next steps", "## Decisions")),
        opened="Meeting Notes",
    ),
    change("drop the chapter Notes from Budget", Edit("Budget", ("Costs",), "Notes")),
    change("take 'porridge' out of Recipes", Edit("Recipes", ("eggs on toast",), "porridge")),
    change("start a new document named Garden", Create("Garden")),
    change("We need a document called Guest List with: Ada, Ben", Create("Guest List", "Ada, Ben")),
    change("please create a travel checklist document", Create("travel checklist")),
    change("put my thoughts on tea in a document", Create()),
    change("I would like to start a document on birds", Create("birds")),
    change(
        "insert “We meet on Tuesday.” here",
        Edit("Meeting Notes", ("We meet on Tuesday.",)),
        opened="Meeting Notes",
    ),
    change(
        "add a row '- gas 90' to the costs of this document",
        Edit("Budget", ("food 400", "gas 90", "Notes")),
        opened="Budget",
    ),
    change(
        "change Bergen to Oslo", Edit("Travel Guide", ("train to Oslo",), "Bergen"), opened="Travel Guide"
    ),
    change("delete this document", Delete("Recipes"), opened="Recipes"),
    change("call the budget Household", Rename("Budget", "Household")),
    change("delete Budget and Recipes", Delete("Budget"), Delete("Recipes")),
    change(
        "Add a section Lunch to Recipes, then rename Budget to Money",
        Edit("Recipes", ("## Lunch",)),
        Rename("Budget", "Money"),
    ),
    change("crete a documnet called Holidays", Create("Holidays")),
    change("remvoe the Dinner section from Recipes", Edit("Recipes", ("Breakfast",), "Dinner")),
    change("renmae budget to Cash", Rename("Budget", "Cash")),
    change("make a document Alpha and a document Beta", Create("Alpha"), Create("Beta")),
    change("from now on always use short sentences in Recipes", Instruct("Recipes", "short sentences")),
    change(
        "rewrite the Norway section of the travel guide to say: Go by ship.",
        Edit("Travel Guide", ("Go by ship.",), "Bergen"),
    ),
    # Written last, to see how much of what nobody had looked at is understood
    answer("Morning! Quick question: what is our rent?"),
    answer("How come Norway is listed twice?"),
    answer("is the budget ok like this"),
    answer("Please explain the decisions"),
    answer("what can you do"),
    answer("Can we talk about the travel guide first?"),
    answer("I guess we don't need the Notes section"),
    answer("Ideally Recipes would have a dessert part"),
    answer("wow, that was fast"),
    answer("which document did you rename?"),
    answer("Were the notes deleted"),
    answer("do not remove Norway"),
    answer("I changed the rent myself"),
    answer("where's the list of next steps?"),
    asked("put it in the doc"),
    asked("remove Finland from the list"),
    asked("show and delete the repices"),
    change(
        "Add 'Check prices' to the notes of the budget", Edit("Budget", ("Review in March.", "Check prices"))
    ),
    change("please put a section “Visa” into the travel guide", Edit("Travel Guide", ("## Visa",))),
    change("Append a new paragraph to Recipes: Enjoy!", Edit("Recipes", ("Tomato soup", "Enjoy!"))),
    change("Jot down “ask Eva” under Next steps", Edit("Meeting Notes", ("book the room", "ask Eva"))),
    change(
        "can you please change Tomato to Pumpkin in my recipes?", Edit("Recipes", ("Pumpkin soup",), "Tomato")
    ),
    change("Set food to 350 in Budget", Edit("Budget", ("food 350",), "food 400")),
    change(
        "replace every June in the Travel Guide with October",
        Edit("Travel Guide", ("October", "October"), "June"),
    ),
    change(
        "Fix the date in Meeting Notes: change Friday to Tuesday",
        Edit("Meeting Notes", ("ship on Tuesday",), "Friday"),
    ),
    change(
        "delete 'book the room' from Meeting Notes", Edit("Meeting Notes", ("call Ada",), "book the room")
    ),
    change("Please drop the Dinner section of the recipes", Edit("Recipes", ("Breakfast",), "Dinner")),
    change("Remove everything from Budget", Edit("Budget", (), "rent")),
    change("I'd like the Notes section of Budget removed", Edit("Budget", ("Costs",), "Notes")),
    change("Budget needs to be renamed to Finances", Rename("Budget", "Finances")),
    change("rename my travel guide to “Nordics 2026”", Rename("Travel Guide", "Nordics 2026")),
    change("Could you call Recipes “Grandma's Recipes”?", Rename("Recipes", "Grandma's Recipes")),
    change("move the Norway section up before Iceland", Edit("Travel Guide", ("## Norway", "## Iceland"))),
    change(
        "put Next steps at the top of Meeting Notes", Edit("Meeting Notes", ("## Next steps", "## Decisions"))
    ),
    change("delete the documents Budget and Recipes", Delete("Budget"), Delete("Recipes")),
    change("please delete the travel guide, thanks", Delete("Travel Guide")),
    change("Create an empty document named Scratch", Create("Scratch")),
    change("new doc: Reading list", Create()),
    change("make a packing list for me", Create("Packing List")),
    change("I need a document for our house rules", Create()),
    change("Create a document Roadmap with “Q1: launch”", Create("Roadmap", "Q1: launch")),
    change("store this in a document called Quotes: “Be kind.”", Create("Quotes", "Be kind.")),
    change(
        "Add a section Risks to Budget and rename Recipes to Menu",
        Edit("Budget", ("## Risks",)),
        Rename("Recipes", "Menu"),
    ),
    change(
        "replace Bergen with Oslo and June with May in the travel guide",
        Edit("Travel Guide", ("Oslo",), "Bergen"),
    ),
    change("append “The end.”", Edit("Recipes", ("The end.",)), opened="Recipes"),
    change("get rid of the Dinner part", Edit("Recipes", ("Breakfast",), "Dinner"), opened="Recipes"),
    change("add eggs to breakfast", Edit("Recipes", ("eggs on toast", "eggs", "Dinner")), opened="Recipes"),
    change("please rename the current document to Kitchen", Rename("Recipes", "Kitchen"), opened="Recipes"),
    change("isnert a section Tips in Recipes", Edit("Recipes", ("## Tips",))),
)
