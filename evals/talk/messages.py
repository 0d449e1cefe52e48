"""Messages that were looked at while the built-in model learnt to understand them."""

from __future__ import annotations

from evals.talk.expected import Create, Delete, Edit, Instruct, Rename, Said, answer, asked, change

MESSAGES: tuple[Said, ...] = (
    # Questions
    answer("what documents do i have?"),
    answer("How much is the rent?"),
    answer("what's in the budget"),
    answer("where did you make the changes?"),
    answer("When do we ship?"),
    answer("who should be called next?"),
    answer("Why is food in the budget?"),
    answer("how do I add a section to Recipes?"),
    answer("can you tell me what the travel guide says about Norway?"),
    answer("Does the recipes document have a dinner section?"),
    answer("is there anything about Bergen?"),
    answer("did you delete the budget?"),
    answer("what would happen if I deleted Budget?"),
    answer("what did you change?"),
    answer("which sections does the budget have"),
    answer("summarize the travel guide"),
    answer("give me an outline of Meeting Notes"),
    answer("what is this document about?", opened="Recipes"),
    answer("whats the difference between Budget and Recipes"),
    answer("should I remove the costs section?"),
    # Small talk and remarks
    answer("hi there"),
    answer("thanks, that looks great!"),
    answer("the markdown looks off"),
    answer("I think the budget is a bit long"),
    answer("maybe add a lunch section to Recipes"),
    answer("Recipes should have a dessert section"),
    answer("what about adding flights to the travel guide?"),
    answer("don't delete the budget"),
    answer("no, leave it"),
    # Not said well enough
    asked("add a section about visas"),
    asked("delete it"),
    asked("rename the document to Plan"),
    asked("add “- milk” to the shopping list"),
    asked("change the notes"),
    asked("show me Recipies and delete Budgte"),
    asked("update the document"),
    asked("delete Trvel Gide"),
    # Plain changes
    change(
        "add pancakes to the breakfast section of Recipes",
        Edit("Recipes", ("eggs on toast", "pancakes", "Dinner")),
    ),
    change("Please add a Lunch section to Recipes", Edit("Recipes", ("Dinner", "## Lunch"))),
    change("put 'buy insurance' under Notes in the Budget", Edit("Budget", ("Notes", "buy insurance"))),
    change("change 1200 to 1300 in Budget", Edit("Budget", ("rent 1300",), "1200")),
    change(
        "replace June with July everywhere in the travel guide",
        Edit("Travel Guide", ("Best in July", "Best in July"), "June"),
    ),
    change("in the budget, change food 400 to food 450", Edit("Budget", ("food 450",), "food 400")),
    change("rename Budget to Finances", Rename("Budget", "Finances")),
    change("Could you please delete the recipes document?", Delete("Recipes")),
    change("get rid of the Norway section in the travel guide", Edit("Travel Guide", ("Iceland",), "Norway")),
    change(
        "move the Dinner section before Breakfast in Recipes", Edit("Recipes", ("## Dinner", "## Breakfast"))
    ),
    change("move Notes to the top of Budget", Edit("Budget", ("# Budget", "## Notes", "## Income"))),
    change("create a document called Packing List", Create("Packing List")),
    change("I want to create a document about hiking in Iceland", Create("hiking in Iceland")),
    change("make a new doc for the summer party", Create()),
    change("write the shopping list in a document: milk, eggs", Create(None, "milk, eggs")),
    change("Save this in a new document named Ideas: a boat, a hut", Create("Ideas", "a boat, a hut")),
    change("add 'hello' in the document", Edit("Recipes", ("hello",)), opened="Recipes"),
    change(
        "add a section Visas to this document", Edit("Travel Guide", ("## Visas",)), opened="Travel Guide"
    ),
    change("delete the Costs section", Edit("Budget", ("Income", "Notes"), "Costs"), opened="Budget"),
    change("rename this to Finances", Rename("Budget", "Finances"), opened="Budget"),
    change(
        "remove “- call Ada” from the meeting notes", Edit("Meeting Notes", ("book the room",), "call Ada")
    ),
    change(
        "add “- pay Ben” to the next steps in Meeting Notes",
        Edit("Meeting Notes", ("book the room", "pay Ben")),
    ),
    change("rename Budget to Money and delete Recipes", Rename("Budget", "Money"), Delete("Recipes")),
    change(
        "add “- tea” to Recipes and “- tickets” to Travel Guide",
        Edit("Recipes", ("tea",)),
        Edit("Travel Guide", ("tickets",)),
    ),
    change("pls ad a section Lunch to recipes", Edit("Recipes", ("## Lunch",))),
    change("delte the document Budget", Delete("Budget")),
    change("creat a new document called Todo", Create("Todo")),
    change(
        "rename the section Dinner to Supper in Recipes", Edit("Recipes", ("## Supper", "Tomato"), "Dinner")
    ),
    change(
        "set the standing instruction of Budget to: Amounts in euro.", Instruct("Budget", "Amounts in euro.")
    ),
    change(
        "replace the Decisions section of Meeting Notes with: We ship on Monday.",
        Edit("Meeting Notes", ("We ship on Monday.", "Next steps"), "Friday"),
    ),
    change("create two documents: Alpha and Beta", Create("Alpha"), Create("Beta")),
    change("Add my favorite songs", Create()),
    change("new document Wishlist", Create("Wishlist")),
    # In other ways
    answer("hello, what is this project about?"),
    answer("Do we have anything on insurance"),
    answer("how would you restructure the budget?"),
    answer("Can you show me the Costs section of Budget?"),
    answer("please read me the decisions"),
    answer("so… did the rename work?"),
    answer("what else could I add to Recipes and should I delete Budget"),
    answer("is there a way to rename Budget to Finances"),
    answer("I want to know who to call"),
    answer("Explain how to move a section to the top of Budget"),
    answer("not sure if I should delete the travel guide"),
    answer("The budget was renamed to Finances yesterday"),
    answer("You deleted the wrong section!"),
    answer("I'll add pancakes to Recipes myself"),
    answer("no need to remove anything from Budget"),
    answer("We could move Notes to the top"),
    answer("Remind me what we decided"),
    answer("nice work on the travel guide"),
    answer("any idea when we ship?"),
    answer("Tell me the rent"),
    answer("compare Budget and Recipes"),
    answer("translate the recipes to German"),
    answer("???"),
    answer("that's all for today, see you"),
    asked("delete the gide"),
    asked("fix the typos"),
    asked("add something to the budget"),
    asked("remove the last line"),
    change("Hey, could you add a Desserts section to my recipes please?", Edit("Recipes", ("## Desserts",))),
    change('kindly append "Paid in full." to Budget', Edit("Budget", ("Paid in full.",))),
    change(
        "Under Next steps in Meeting Notes, add “- email Bob”",
        Edit("Meeting Notes", ("book the room", "email Bob")),
    ),
    change("In Recipes under Breakfast add muesli", Edit("Recipes", ("eggs on toast", "muesli", "Dinner"))),
    change(
        "Add to the Costs of the Budget: - internet 40", Edit("Budget", ("food 400", "internet 40", "Notes"))
    ),
    change("budget: rent is now 1300, please change it from 1200", Edit("Budget", ("1300",), "1200")),
    change("set rent to 1300 in the budget", Edit("Budget", ("rent 1300",), "1200")),
    change("Increase... no, just change the food to 500 in Budget", Edit("Budget", ("food 500",), "400")),
    change(
        "Replace “warm clothes” by “rain gear” in the Iceland section of the Travel Guide",
        Edit("Travel Guide", ("rain gear",), "warm clothes"),
    ),
    change("Change 'Bergen' → 'Oslo' in travel guide", Edit("Travel Guide", ("Oslo",), "Bergen")),
    change("s/Friday/Thursday in Meeting Notes", Edit("Meeting Notes", ("Thursday",), "Friday")),
    change("Delete the line '- food 400' from Budget", Edit("Budget", ("rent 1200",), "food 400")),
    change("remove eggs on toast from the recipes", Edit("Recipes", ("porridge",), "eggs")),
    change(
        "Can you take the Norway chapter out of the Travel Guide?",
        Edit("Travel Guide", ("Iceland",), "Norway"),
    ),
    change("I no longer need the Recipes document, delete it", Delete("Recipes")),
    change("erase Meeting Notes completely", Delete("Meeting Notes")),
    answer("the document Budget can be deleted"),
    change("rename travel guide → Trips", Rename("Travel Guide", "Trips")),
    change("I'd like to rename Recipes to “Family Recipes”", Rename("Recipes", "Family Recipes")),
    change("Change the title of Budget to Household Budget", Rename("Budget", "Household Budget")),
    answer("Budget should be called Finances"),
    change(
        "Swap the order: Norway before Iceland in Travel Guide",
        Edit("Travel Guide", ("## Norway", "## Iceland")),
    ),
    change("put the Notes section first in Budget", Edit("Budget", ("## Notes", "## Income"))),
    change("move Income after Costs", Edit("Budget", ("## Costs", "## Income", "## Notes"))),
    change(
        "Move “Decisions” to the bottom of the meeting notes",
        Edit("Meeting Notes", ("## Next steps", "## Decisions")),
    ),
    change("Create document 'Reading List'", Create("Reading List")),
    change("Open a new note titled Garden Ideas", Create("Garden Ideas")),
    change("Let's start a document for the wedding", Create()),
    change("i need a new doc called Contacts", Create("Contacts")),
    change("Make a new page named FAQ with the text “Coming soon.”", Create("FAQ", "Coming soon.")),
    answer("Could we have a document called Roadmap?"),
    change("create a travel journal", Create("Travel Journal")),
    change("Create a document named Summer, and one named Winter", Create("Summer"), Create("Winter")),
    change(
        "Delete Recipes, Budget and Travel Guide", Delete("Recipes"), Delete("Budget"), Delete("Travel Guide")
    ),
    change("Rename Recipes to Food, Budget to Money", Rename("Recipes", "Food"), Rename("Budget", "Money")),
    change(
        "add a section Insurance to Budget and to Travel Guide",
        Edit("Budget", ("## Insurance",)),
        Edit("Travel Guide", ("## Insurance",)),
    ),
    change("In all documents replace June with July", Edit("Travel Guide", ("July", "July"), "June")),
    change("add '- soup' to Dinner here", Edit("Recipes", ("soup with bread", "- soup")), opened="Recipes"),
    change("put “draft” at the end of this", Edit("Budget", ("draft",)), opened="Budget"),
    change("clear the Notes section", Edit("Budget", ("## Notes",), "Review"), opened="Budget"),
    change(
        "rename the Costs heading to Expenses", Edit("Budget", ("## Expenses",), "Costs"), opened="Budget"
    ),
    change(
        "Please update the document: replace March with April",
        Edit("Budget", ("April",), "March"),
        opened="Budget",
    ),
    change("dellete the Notes secton", Edit("Budget", ("Costs",), "Notes"), opened="Budget"),
    change("ADD A SECTION TODO TO BUDGET", Edit("Budget", ("## TODO",))),
    change("pleas add milk to the Breakfast list in recipes", Edit("Recipes", ("milk",))),
    answer("What's the plan for Norway?"),
    answer("Anything in there about bread?"),
    answer("Could you please tell me how many documents I have?"),
    answer("why does the travel guide say June"),
    answer("Have you already removed the notes?"),
    answer("Which is longer, Budget or Recipes?"),
    answer("I like the new structure"),
    answer("hm, the dinner part feels thin"),
    answer("we might want to add a lunch section"),
    answer("just looking around"),
    answer("good job!!"),
    answer("Can I undo that later?"),
    answer("who decides what we delete, and what should we rename"),
    answer("let me know before you delete Budget"),
    answer("I asked you to delete Budget yesterday"),
    answer("Don't touch Recipes, please"),
    answer("so what should the budget include?"),
    answer("read the meeting notes"),
    answer("list all documents, please"),
    answer("What are the next steps"),
    asked("add a new section"),
    asked("please edit Recipes"),
    asked("delete the foo document"),
    asked("move the section to the top"),
    change(
        'Please add "Book flights" to Next steps in the Meeting Notes document.',
        Edit("Meeting Notes", ("book the room", "Book flights")),
    ),
    change(
        "Insert a section titled “Emergency Fund” into the Budget", Edit("Budget", ("## Emergency Fund",))
    ),
    change(
        "I want you to add a Sweden section to the Travel Guide saying 'Visit Stockholm.'",
        Edit("Travel Guide", ("## Sweden", "Visit Stockholm.")),
    ),
    change("Add these notes to the meeting notes: Ben was late.", Edit("Meeting Notes", ("Ben was late.",))),
    change(
        "Write “Pack light” in the Iceland section", Edit("Travel Guide", ("Iceland", "Pack light", "Norway"))
    ),
    change(
        "Include olive oil in the dinner section of Recipes", Edit("Recipes", ("Tomato soup", "olive oil"))
    ),
    change("Update the salary to 4200 in the budget", Edit("Budget", ("Salary 4200",), "4000")),
    change(
        "Edit Meeting Notes: change Friday to Monday", Edit("Meeting Notes", ("ship on Monday",), "Friday")
    ),
    change("Replace the word bread with rice in Recipes", Edit("Recipes", ("rice",), "bread")),
    change(
        "please replace all Junes... I mean replace all 'June' by 'August' in Travel Guide",
        Edit("Travel Guide", ("August",), "June"),
    ),
    change("in recipes, swap porridge for muesli", Edit("Recipes", ("muesli",), "porridge")),
    change("Remove the word “warm ” from the travel guide", Edit("Travel Guide", ("Bring clothes",), "warm")),
    change("delete “Review in March.” in Budget", Edit("Budget", ("Notes",), "Review")),
    change(
        "Remove the Breakfast and Dinner sections from Recipes", Edit("Recipes", ("# Recipes",), "## Dinner")
    ),
    change("cut the Income section out of the budget", Edit("Budget", ("Costs",), "Income")),
    change("Trash the meeting notes document", Delete("Meeting Notes")),
    change("please get rid of Budget", Delete("Budget")),
    change("Rename the document Meeting Notes to Protocol please", Rename("Meeting Notes", "Protocol")),
    change("the Travel Guide document: rename it to Europe", Rename("Travel Guide", "Europe")),
    change("Retitle Recipes as Cookbook", Rename("Recipes", "Cookbook")),
    change(
        "Move Norway above Iceland in the travel guide please",
        Edit("Travel Guide", ("## Norway", "## Iceland")),
    ),
    change(
        "Could you move the Costs section to the top of the budget?",
        Edit("Budget", ("## Costs", "## Income")),
    ),
    change(
        "place the Breakfast section after Dinner in Recipes", Edit("Recipes", ("## Dinner", "## Breakfast"))
    ),
    change("Create a new document called “Birthday” with the content “Cake”", Create("Birthday", "Cake")),
    change("create a document: Packing", Create()),
    change("I want a document about birds", Create("birds")),
    change("Make me a shopping list", Create("Shopping List")),
    change("Start a new document for recipes from Italy", Create()),
    change("write a new document called Log: Day one.", Create("Log", "Day one.")),
    change(
        "Put the following in a new document called Links: https://a.example",
        Create("Links", "https://a.example"),
    ),
    change("save “x = 1” as a new document named Code", Create("Code", "x = 1")),
    change(
        "rename Budget to Money and Recipes to Food", Rename("Budget", "Money"), Rename("Recipes", "Food")
    ),
    change("create a doc called One and a doc called Two", Create("One"), Create("Two")),
    change("Delete Budget. Then create a document called Fresh.", Delete("Budget"), Create("Fresh")),
    change(
        "add “Done” to Budget, Recipes and Meeting Notes",
        Edit("Budget", ("Done",)),
        Edit("Recipes", ("Done",)),
        Edit("Meeting Notes", ("Done",)),
    ),
    change("add “- bring cash” to this", Edit("Travel Guide", ("bring cash",)), opened="Travel Guide"),
    change("remove Norway", Edit("Travel Guide", ("Iceland",), "Norway"), opened="Travel Guide"),
    change(
        "rename Iceland to Faroe Islands",
        Edit("Travel Guide", ("## Faroe Islands",), "Iceland"),
        opened="Travel Guide",
    ),
    change(
        "add a table of contents section",
        Edit("Travel Guide", ("## table of contents",)),
        opened="Travel Guide",
    ),
    change("new section Sweden", Edit("Travel Guide", ("## Sweden",)), opened="Travel Guide"),
    change(
        "make Norway the first section",
        Edit("Travel Guide", ("## Norway", "## Iceland")),
        opened="Travel Guide",
    ),
    change("delet the docment Recipes", Delete("Recipes")),
    change("add pasta too the Dinner section of Recipes", Edit("Recipes", ("pasta",))),
    change("ranme Recipes to Meals", Rename("Recipes", "Meals")),
    asked("add section Snacks to recipies"),
)
