-- A user who is named without a customer is looked up in all of them: before the customer, one range of the index holds
-- them. The other order made such a call read every user of the instance.
CREATE UNIQUE INDEX "owner_i_level_user_id_customer_id_key" ON "owner"("i", "level", "user_id", "customer_id");
DROP INDEX "owner_i_level_customer_id_user_id_key";
